/** Servers at which people of an organisation may sign in, and who they are there. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'chat_openid_providers', (table) => {
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    table.string('name', 30).collate('ascii_bin').notNullable();
    table.string('display_name', 50).notNullable();
    table.string('issuer', 255).collate('ascii_bin').notNullable();
    table.string('client_id', 255).notNullable();
    table.text('client_secret_sealed').collate('ascii_bin').notNullable();
    // A list in JSON; an empty one lets in addresses of every domain.
    table.text('domains').notNullable();
    table.boolean('creates_accounts').notNullable();
    table.primary(['realm_id', 'name']);
  });
  await createTable(db, 'chat_openid_identities', (table) => {
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    // Of the issuer and of who it is there.
    table.specificType('identity_hash', 'CHAR(64)').collate('ascii_bin').notNullable();
    table.integer('user_id').unsigned().notNullable().references('chat_users.id');
    table.primary(['realm_id', 'identity_hash']);
    table.index(['user_id']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('chat_openid_identities');
  await db.schema.dropTable('chat_openid_providers');
}
