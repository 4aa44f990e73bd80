/** Archives of an organisation that its administrators ask for, in pieces as uploads are. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'chat_exports', (table) => {
    table.increments('id');
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    table.integer('acting_user_id').unsigned().notNullable().references('chat_users.id');
    table.string('state', 10).collate('ascii_bin').notNullable();
    // Raised by every worker that begins: the pieces of an earlier one count for nothing.
    table.integer('attempt').unsigned().notNullable().defaultTo(0);
    table.tinyint('progress').unsigned().notNullable().defaultTo(0);
    table.bigInteger('size').unsigned().nullable();
    table.specificType('sha256', 'CHAR(64)').collate('ascii_bin').nullable();
    table.dateTime('created_at', { precision: 3 }).notNullable();
    table.dateTime('touched_at', { precision: 3 }).notNullable();
    table.dateTime('ended_at', { precision: 3 }).nullable();
    table.dateTime('deleted_at', { precision: 3 }).nullable();
    table.index(['realm_id', 'id']);
    table.index(['state', 'touched_at']);
  });
  await createTable(db, 'chat_export_chunks', (table) => {
    table.integer('export_id').unsigned().notNullable();
    table.integer('attempt').unsigned().notNullable();
    table.integer('place').unsigned().notNullable();
    table.specificType('bytes', 'MEDIUMBLOB').notNullable();
    table.primary(['export_id', 'attempt', 'place']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('chat_export_chunks');
  await db.schema.dropTable('chat_exports');
}
