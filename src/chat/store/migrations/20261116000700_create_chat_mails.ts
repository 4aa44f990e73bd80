/** Mail that waits, was sent or has failed. A row says what the mail is about; its text is written when it is sent. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export const up = (db: Knex) =>
  createTable(db, 'chat_mails', (table) => {
    table.bigIncrements('id');
    table.integer('realm_id').unsigned().notNullable();
    table.string('kind', 20).collate('ascii_bin').notNullable();
    table.string('recipient', 254).notNullable();
    // JSON, as each kind needs it: ids, never a token.
    table.text('about').notNullable();
    table.string('state', 8).collate('ascii_bin').notNullable();
    table.integer('attempts').unsigned().notNullable().defaultTo(0);
    table.text('error').nullable();
    // The text, where mail is shown to developers instead of being sent.
    table.specificType('shown', 'MEDIUMTEXT').nullable();
    table.dateTime('due_at', { precision: 3 }).notNullable();
    table.dateTime('created_at', { precision: 3 }).notNullable();
    table.dateTime('finished_at', { precision: 3 }).nullable();
    table.index(['state', 'due_at']);
    table.index(['state', 'finished_at']);
    table.index(['realm_id', 'kind', 'created_at']);
  });

export const down = (db: Knex) => db.schema.dropTable('chat_mails');
