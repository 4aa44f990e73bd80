/** Invitations that nobody has accepted yet: to one address, or reusable links without an address. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export const up = (db: Knex) =>
  createTable(db, 'chat_invitations', (table) => {
    table.increments('id');
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    table.integer('inviter_id').unsigned().notNullable().references('chat_users.id');
    // Null: a reusable link.
    table.string('email', 254).nullable();
    table.string('email_key', 254).collate('utf8mb4_bin').nullable();
    table.string('role', 10).collate('ascii_bin').notNullable();
    // JSON.
    table.text('stream_ids').notNullable();
    // The token is derived from the nonce with SECRET_KEY, and found by its hash.
    table.specificType('nonce', 'CHAR(24)').collate('ascii_bin').notNullable();
    table.specificType('token_hash', 'CHAR(64)').collate('ascii_bin').notNullable().unique();
    table.dateTime('invited_at', { precision: 3 }).notNullable();
    table.dateTime('expires_at', { precision: 3 }).notNullable();
    table.index(['realm_id', 'email_key']);
    table.index(['expires_at']);
  });

export const down = (db: Knex) => db.schema.dropTable('chat_invitations');
