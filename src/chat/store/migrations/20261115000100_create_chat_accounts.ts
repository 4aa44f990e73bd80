/** Organisations, their people and bots, and the streams these are subscribed to. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'chat_realms', (table) => {
    table.increments('id');
    table.string('subdomain', 40).notNullable().unique();
    table.string('name', 100).notNullable();
    table.text('description').notNullable();
    // What differs from the defaults in model/realm-settings.ts.
    table.text('settings').notNullable();
    // The account in whose name the server itself speaks, once it has had something to say.
    table.integer('notification_bot_id').unsigned().nullable();
    table.boolean('is_active').notNullable().defaultTo(true);
    table.dateTime('created_at', { precision: 3 }).notNullable();
  });
  await createTable(db, 'chat_users', (table) => {
    table.increments('id');
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    table.string('email', 254).notNullable();
    table.string('full_name', 100).notNullable();
    table.string('short_name', 100).notNullable();
    table.string('role', 10).collate('ascii_bin').notNullable();
    table.boolean('is_active').notNullable().defaultTo(true);
    table.tinyint('bot_type').unsigned().nullable();
    table.integer('bot_owner_id').unsigned().nullable().references('chat_users.id');
    table.string('timezone', 40).notNullable().defaultTo('');
    table.bigInteger('pointer').notNullable().defaultTo(-1);
    // Everything up to here is read.
    table.bigInteger('read_id').unsigned().notNullable().defaultTo(0);
    // What differs from the defaults in model/user-settings.ts.
    table.text('settings').notNullable();
    table.string('password_hash', 120).collate('ascii_bin').nullable();
    table.specificType('key_hash', 'CHAR(64)').collate('ascii_bin').notNullable().unique();
    table.string('key_sealed', 160).collate('ascii_bin').notNullable();
    table.dateTime('joined_at', { precision: 3 }).notNullable();
    table.unique(['realm_id', 'email']);
  });
  await createTable(db, 'chat_recipients', (table) => {
    table.increments('id');
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    // Null for a stream; for a private conversation its participants, sorted, or a hash of them where they are many.
    table.string('members', 190).collate('ascii_bin').nullable();
    table.unique(['realm_id', 'members']);
  });
  await createTable(db, 'chat_streams', (table) => {
    table.integer('id').unsigned().primary().references('chat_recipients.id');
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    table.string('name', 60).notNullable();
    table.string('description', 1024).notNullable().defaultTo('');
    table.text('rendered_description').notNullable();
    table.boolean('is_private').notNullable().defaultTo(false);
    table.boolean('is_announcement_only').notNullable().defaultTo(false);
    table.boolean('is_history_public').notNullable().defaultTo(true);
    table.boolean('is_default').notNullable().defaultTo(false);
    table.boolean('is_active').notNullable().defaultTo(true);
    // Raised by every change of who hears the stream: a sender's list of them is right while it stands.
    table.integer('version').unsigned().notNullable().defaultTo(1);
    table.dateTime('created_at', { precision: 3 }).notNullable();
    // What names are compared by: case does not count, but accents and the marks of kana do, unlike in the collation.
    // Deactivated streams give theirs up. Lowered as the connection lowers what it is compared with.
    table.specificType(
      'name_key',
      'VARCHAR(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ' +
        'GENERATED ALWAYS AS (IF(is_active, LOWER(name COLLATE utf8mb4_unicode_ci), NULL)) STORED',
    );
    table.unique(['realm_id', 'name_key']);
  });
  await createTable(db, 'chat_subscriptions', (table) => {
    table.integer('recipient_id').unsigned().notNullable().references('chat_recipients.id');
    table.integer('user_id').unsigned().notNullable().references('chat_users.id');
    table.boolean('is_active').notNullable().defaultTo(true);
    // The first message that was or will be received, and the last that is read.
    table.bigInteger('from_id').unsigned().notNullable();
    table.bigInteger('read_id').unsigned().notNullable().defaultTo(0);
    table.string('color', 7).collate('ascii_bin').notNullable().defaultTo('');
    table.boolean('is_muted').notNullable().defaultTo(false);
    table.boolean('is_pinned').notNullable().defaultTo(false);
    for (const kind of ['desktop', 'audible', 'push', 'email', 'wildcard']) table.boolean(`notify_${kind}`).nullable();
    table.dateTime('created_at', { precision: 3 }).notNullable();
    table.primary(['recipient_id', 'user_id']);
    table.index(['user_id', 'is_active', 'recipient_id']);
    table.index(['recipient_id', 'is_active', 'user_id']);
  });
}

export async function down(db: Knex): Promise<void> {
  for (const table of ['chat_subscriptions', 'chat_streams', 'chat_recipients', 'chat_users', 'chat_realms']) {
    await db.schema.dropTable(table);
  }
}
