/** What operators did. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export const up = (db: Knex) =>
  createTable(db, 'ops_audit', (table) => {
    table.bigIncrements('id');
    table.dateTime('at', { precision: 3 }).notNullable();
    table.string('operator', 100).notNullable();
    table.string('door', 10).collate('ascii_bin').notNullable();
    table.string('action', 40).collate('ascii_bin').notNullable();
    table.string('target', 500).notNullable();
    table.integer('count').unsigned().nullable();
  });

export const down = (db: Knex) => db.schema.dropTable('ops_audit');
