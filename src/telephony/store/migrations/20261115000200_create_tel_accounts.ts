/** Companies with their keys, contacts, locations and PBX instances. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

const id = (table: Knex.CreateTableBuilder, name: string) => table.specificType(name, 'CHAR(24)').collate('ascii_bin');

function stamps(table: Knex.CreateTableBuilder): void {
  table.dateTime('created_at', { precision: 3 }).notNullable();
  table.dateTime('updated_at', { precision: 3 }).notNullable();
}

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'tel_companies', (table) => {
    id(table, 'id').primary();
    table.string('name', 190).notNullable().unique();
    table.string('status', 20).notNullable();
    table.text('details').notNullable();
    stamps(table);
  });
  await createTable(db, 'tel_keys', (table) => {
    table.specificType('key_hash', 'CHAR(64)').collate('ascii_bin').primary();
    id(table, 'company_id').notNullable().references('tel_companies.id');
    table.dateTime('created_at', { precision: 3 }).notNullable();
    table.index(['company_id']);
  });
  await createTable(db, 'tel_contacts', (table) => {
    id(table, 'id').primary();
    id(table, 'company_id').notNullable().references('tel_companies.id');
    table.boolean('is_primary').notNullable();
    table.string('work_email', 254).notNullable();
    table.string('first_name', 100).notNullable();
    table.string('last_name', 100).notNullable();
    table.boolean('is_activated').notNullable().defaultTo(true);
    table.text('details').notNullable();
    stamps(table);
    table.unique(['company_id', 'work_email']);
  });
  await createTable(db, 'tel_locations', (table) => {
    id(table, 'id').primary();
    id(table, 'company_id').notNullable().references('tel_companies.id');
    table.string('name', 190).notNullable();
    table.text('details').notNullable();
    stamps(table);
    table.index(['company_id']);
  });
  await createTable(db, 'tel_instances', (table) => {
    table.specificType('uuid', 'CHAR(36)').collate('ascii_bin').primary();
    id(table, 'id').notNullable().unique();
    id(table, 'company_id').notNullable().references('tel_companies.id');
    id(table, 'location_id').notNullable().references('tel_locations.id');
    table.string('backend', 20).notNullable();
    table.string('address', 254).notNullable();
    table.text('details').notNullable();
    stamps(table);
    table.index(['company_id']);
  });
}

export async function down(db: Knex): Promise<void> {
  for (const table of ['tel_instances', 'tel_locations', 'tel_contacts', 'tel_keys', 'tel_companies']) {
    await db.schema.dropTable(table);
  }
}
