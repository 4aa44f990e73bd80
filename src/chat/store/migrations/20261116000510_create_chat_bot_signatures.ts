/** Secrets by which services sign what they deliver to a bot. A bot without one takes whatever comes with its key. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export const up = (db: Knex) =>
  createTable(db, 'chat_bot_signatures', (table) => {
    table.integer('user_id').unsigned().primary().references('chat_users.id');
    table.string('scheme', 20).collate('ascii_bin').notNullable();
    table.text('secret_sealed').collate('ascii_bin').notNullable();
  });

export const down = (db: Knex) => db.schema.dropTable('chat_bot_signatures');
