/** What hangs on people and organisations besides messages: profiles, groups, emoji, linkifiers, uploads, devices. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await createPeopleTables(db);
  await createOrganisationTables(db);
  await createTable(db, 'chat_uploads', (table) => {
    table.increments('id');
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    table.integer('owner_id').unsigned().notNullable().references('chat_users.id');
    // The unguessable part of its address.
    table.string('token', 40).collate('ascii_bin').notNullable().unique();
    table.string('name', 190).notNullable();
    table.string('type', 100).collate('ascii_bin').notNullable();
    table.integer('size').unsigned().notNullable();
    table.dateTime('created_at', { precision: 3 }).notNullable();
    table.index(['realm_id', 'owner_id']);
  });
  await createTable(db, 'chat_upload_chunks', (table) => {
    // In pieces, so that no node ever holds a whole file, and reachable from every node.
    table.integer('upload_id').unsigned().notNullable().references('chat_uploads.id').onDelete('CASCADE');
    table.integer('place').unsigned().notNullable();
    table.specificType('bytes', 'MEDIUMBLOB').notNullable();
    table.primary(['upload_id', 'place']);
  });
}

async function createPeopleTables(db: Knex): Promise<void> {
  await createTable(db, 'chat_bots', (table) => {
    // Only where a bot differs from the defaults.
    table.integer('user_id').unsigned().primary().references('chat_users.id');
    table.integer('sending_stream_id').unsigned().nullable().references('chat_streams.id');
    table.integer('events_stream_id').unsigned().nullable().references('chat_streams.id');
    table.boolean('is_all_public').notNullable().defaultTo(false);
  });
  await createTable(db, 'chat_bot_storage', (table) => {
    table.integer('user_id').unsigned().notNullable().references('chat_users.id');
    table.string('name', 190).collate('utf8mb4_bin').notNullable();
    table.specificType('value', 'MEDIUMTEXT').notNullable();
    table.primary(['user_id', 'name']);
  });
  await createTable(db, 'chat_user_statuses', (table) => {
    table.integer('user_id').unsigned().primary().references('chat_users.id');
    table.boolean('is_away').notNullable().defaultTo(false);
    table.string('text', 60).notNullable().defaultTo('');
  });
  await createTable(db, 'chat_alert_words', (table) => {
    table.increments('id');
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    table.integer('user_id').unsigned().notNullable().references('chat_users.id');
    table.string('word', 100).collate('utf8mb4_bin').notNullable();
    table.unique(['user_id', 'word']);
    table.index(['realm_id', 'user_id']);
  });
  await createTable(db, 'chat_push_devices', (table) => {
    table.increments('id');
    table.integer('user_id').unsigned().notNullable().references('chat_users.id');
    table.string('kind', 4).collate('ascii_bin').notNullable();
    table.string('token', 512).collate('ascii_bin').notNullable();
    table.string('app_id', 100).notNullable().defaultTo('');
    table.unique(['user_id', 'kind', 'token']);
  });
}

async function createOrganisationTables(db: Knex): Promise<void> {
  await createTable(db, 'chat_profile_fields', (table) => {
    table.increments('id');
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    table.string('name', 40).notNullable();
    table.string('hint', 80).notNullable().defaultTo('');
    table.tinyint('type').unsigned().notNullable();
    table.text('field_data').notNullable();
    table.integer('place').unsigned().notNullable();
    table.unique(['realm_id', 'name']);
  });
  await createTable(db, 'chat_profile_values', (table) => {
    table.integer('user_id').unsigned().notNullable().references('chat_users.id');
    table.integer('field_id').unsigned().notNullable().references('chat_profile_fields.id').onDelete('CASCADE');
    table.text('value').notNullable();
    table.text('rendered').nullable();
    table.primary(['user_id', 'field_id']);
  });
  await createTable(db, 'chat_user_groups', (table) => {
    table.increments('id');
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    table.string('name', 100).notNullable();
    table.text('description').notNullable();
    table.unique(['realm_id', 'name']);
  });
  await createTable(db, 'chat_user_group_members', (table) => {
    table.integer('group_id').unsigned().notNullable().references('chat_user_groups.id').onDelete('CASCADE');
    table.integer('user_id').unsigned().notNullable().references('chat_users.id');
    table.primary(['group_id', 'user_id']);
    table.index(['user_id']);
  });
  await createTable(db, 'chat_realm_emoji', (table) => {
    table.increments('id');
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    table.string('name', 100).collate('ascii_bin').notNullable();
    // The name while it may be used, null afterwards: one name may be given again.
    table.string('active_name', 100).collate('ascii_bin').nullable();
    table.integer('author_id').unsigned().notNullable().references('chat_users.id');
    table.string('extension', 4).collate('ascii_bin').notNullable();
    table.specificType('bytes', 'MEDIUMBLOB').notNullable();
    table.unique(['realm_id', 'active_name']);
  });
  await createTable(db, 'chat_linkifiers', (table) => {
    table.increments('id');
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    table.string('pattern', 500).collate('utf8mb4_bin').notNullable();
    table.string('url_format', 1000).notNullable();
    table.unique(['realm_id', 'pattern']);
  });
}

export async function down(db: Knex): Promise<void> {
  const people = ['push_devices', 'alert_words', 'user_statuses', 'bot_storage', 'bots'];
  const organisation = ['linkifiers', 'realm_emoji', 'user_group_members', 'user_groups', 'profile_values'];
  for (const table of ['upload_chunks', 'uploads', ...organisation, 'profile_fields', ...people]) {
    await db.schema.dropTable(`chat_${table}`);
  }
}
