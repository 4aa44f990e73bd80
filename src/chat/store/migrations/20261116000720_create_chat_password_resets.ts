/** Links that set a new password, each for one mail. Using one of them ends all of the user's. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export const up = (db: Knex) =>
  createTable(db, 'chat_password_resets', (table) => {
    table.bigInteger('mail_id').unsigned().primary();
    table.integer('user_id').unsigned().notNullable().references('chat_users.id');
    // The token is derived from the nonce with SECRET_KEY, and found by its hash.
    table.specificType('nonce', 'CHAR(24)').collate('ascii_bin').notNullable();
    table.specificType('token_hash', 'CHAR(64)').collate('ascii_bin').notNullable().unique();
    table.dateTime('expires_at', { precision: 3 }).notNullable();
    table.index(['expires_at']);
  });

export const down = (db: Knex) => db.schema.dropTable('chat_password_resets');
