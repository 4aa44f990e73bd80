/** Pictures that people upload of themselves, of their bots and of their organisation, and thumbnails of uploaded files. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('chat_users', (table) => {
    // The unguessable part of the address of an uploaded avatar; null where there is none.
    table.string('avatar_key', 40).collate('ascii_bin').nullable();
    table.integer('avatar_version').unsigned().notNullable().defaultTo(1);
  });
  await db.schema.alterTable('chat_realms', (table) => {
    // JSON: which pictures were uploaded, and how often each was changed.
    table.string('pictures', 250).collate('ascii_bin').notNullable().defaultTo('{}');
  });
  await createTable(db, 'chat_avatars', (table) => {
    table.integer('user_id').unsigned().primary().references('chat_users.id');
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    table.string('avatar_key', 40).collate('ascii_bin').notNullable().unique();
    table.specificType('small', 'MEDIUMBLOB').notNullable();
    table.specificType('medium', 'MEDIUMBLOB').notNullable();
  });
  await createTable(db, 'chat_realm_pictures', (table) => {
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    table.string('kind', 12).collate('ascii_bin').notNullable();
    table.specificType('bytes', 'MEDIUMBLOB').notNullable();
    table.primary(['realm_id', 'kind']);
  });
  await createTable(db, 'chat_upload_thumbnails', (table) => {
    table.integer('upload_id').unsigned().primary().references('chat_uploads.id').onDelete('CASCADE');
    table.string('extension', 4).collate('ascii_bin').nullable();
    table.specificType('bytes', 'MEDIUMBLOB').nullable();
    // Until it is made; then null.
    table.specificType('asked_at', 'DATETIME(3)').nullable().index();
  });
}

export async function down(db: Knex): Promise<void> {
  for (const table of ['chat_upload_thumbnails', 'chat_realm_pictures', 'chat_avatars']) {
    await db.schema.dropTable(table);
  }
  await db.schema.alterTable('chat_realms', (table) => table.dropColumn('pictures'));
  await db.schema.alterTable('chat_users', (table) => table.dropColumns('avatar_key', 'avatar_version'));
}
