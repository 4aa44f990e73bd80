/** Letters of the portal that are asked for and not sent yet. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export const up = (db: Knex) =>
  createTable(db, 'tel_letters', (table) => {
    table.specificType('id', 'CHAR(24)').collate('ascii_bin').primary();
    table.text('letter').notNullable();
    table.dateTime('asked_at', { precision: 3 }).notNullable();
    table.integer('attempts').unsigned().notNullable().defaultTo(0);
    table.dateTime('due_at', { precision: 3 }).notNullable().index();
  });

export const down = (db: Knex) => db.schema.dropTable('tel_letters');
