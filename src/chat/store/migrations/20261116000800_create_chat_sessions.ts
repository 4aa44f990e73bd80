/** Sessions of people who signed in with a browser. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export const up = (db: Knex) =>
  createTable(db, 'chat_sessions', (table) => {
    table.increments('id');
    table.integer('user_id').unsigned().notNullable().references('chat_users.id');
    table.specificType('token_hash', 'CHAR(64)').collate('ascii_bin').notNullable().unique();
    // Whether another server said who it is.
    table.boolean('is_external').notNullable().defaultTo(false);
    table.string('agent', 200).notNullable();
    table.string('address', 45).collate('ascii_bin').notNullable();
    table.dateTime('created_at', { precision: 3 }).notNullable();
    table.dateTime('last_used_at', { precision: 3 }).notNullable();
    table.index(['user_id', 'last_used_at']);
  });

export const down = (db: Knex) => db.schema.dropTable('chat_sessions');
