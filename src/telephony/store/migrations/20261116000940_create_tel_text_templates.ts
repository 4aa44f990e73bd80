/** Texts that the people of a company send again and again. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

const id = (table: Knex.CreateTableBuilder, name: string) => table.specificType(name, 'CHAR(24)').collate('ascii_bin');

export const up = (db: Knex) =>
  createTable(db, 'tel_text_templates', (table) => {
    id(table, 'id').primary();
    id(table, 'company_id').notNullable().references('tel_companies.id');
    table.text('text').notNullable();
    table.dateTime('created_at', { precision: 3 }).notNullable();
    table.index(['company_id', 'created_at']);
  });

export const down = (db: Knex) => db.schema.dropTable('tel_text_templates');
