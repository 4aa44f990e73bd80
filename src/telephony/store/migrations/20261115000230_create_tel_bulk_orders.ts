/** Orders of many extensions at once, with a result for each row. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

const id = (table: Knex.CreateTableBuilder, name: string) => table.specificType(name, 'CHAR(24)').collate('ascii_bin');

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'tel_bulk_orders', (table) => {
    id(table, 'id').primary();
    id(table, 'company_id').notNullable();
    id(table, 'contact_id').notNullable();
    table.boolean('is_owner').notNullable();
    table.string('address', 64).collate('ascii_bin').notNullable();
    table.specificType('instance', 'CHAR(36)').collate('ascii_bin').notNullable();
    table.string('mode', 10).collate('ascii_bin').notNullable();
    table.boolean('is_finished').notNullable();
    table.integer('total').unsigned().notNullable();
    // Encrypted: rows may hold credentials. Gone once all are done.
    table.specificType('content', 'MEDIUMTEXT').nullable();
    table.specificType('results', 'MEDIUMTEXT').notNullable();
    table.dateTime('created_at', { precision: 3 }).notNullable();
    table.dateTime('updated_at', { precision: 3 }).notNullable();
    table.index(['company_id', 'created_at']);
    table.index(['is_finished', 'updated_at']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('tel_bulk_orders');
}
