/** Sessions of operators who signed in with a browser. They end with their operator. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export const up = (db: Knex) =>
  createTable(db, 'ops_sessions', (table) => {
    table.increments('id');
    table.integer('operator_id').unsigned().notNullable().references('ops_operators.id').onDelete('CASCADE');
    table.specificType('token_hash', 'CHAR(64)').collate('ascii_bin').notNullable().unique();
    table.string('agent', 200).notNullable();
    table.string('address', 45).collate('ascii_bin').notNullable();
    table.dateTime('created_at', { precision: 3 }).notNullable();
    table.dateTime('last_used_at', { precision: 3 }).notNullable();
    table.index(['operator_id', 'last_used_at']);
  });

export const down = (db: Knex) => db.schema.dropTable('ops_sessions');
