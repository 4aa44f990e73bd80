/** Server operators: accounts of their own, never an organisation's role. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export const up = (db: Knex) =>
  createTable(db, 'ops_operators', (table) => {
    table.increments('id');
    table.string('name', 100).notNullable().unique();
    table.string('access', 10).collate('ascii_bin').notNullable();
    table.specificType('key_hash', 'CHAR(64)').collate('ascii_bin').notNullable().unique();
    table.dateTime('created_at', { precision: 3 }).notNullable();
  });

export const down = (db: Knex) => db.schema.dropTable('ops_operators');
