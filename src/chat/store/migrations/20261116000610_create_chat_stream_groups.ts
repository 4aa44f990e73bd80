/** Groups of streams that somebody new may choose to begin with. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'chat_stream_groups', (table) => {
    table.increments('id');
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    table.string('name', 60).collate('utf8mb4_bin').notNullable();
    table.string('description', 1024).notNullable();
    table.unique(['realm_id', 'name']);
  });
  await createTable(db, 'chat_stream_group_streams', (table) => {
    table.integer('group_id').unsigned().notNullable().references('chat_stream_groups.id').onDelete('CASCADE');
    table.integer('stream_id').unsigned().notNullable().references('chat_streams.id');
    table.primary(['group_id', 'stream_id']);
    table.index(['stream_id']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('chat_stream_group_streams');
  await db.schema.dropTable('chat_stream_groups');
}
