/** Orders to PBXs, which are the truth about them, and the last comparison of each PBX with the database. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

const id = (table: Knex.CreateTableBuilder, name: string) => table.specificType(name, 'CHAR(24)').collate('ascii_bin');
const uuid = (table: Knex.CreateTableBuilder, name: string) =>
  table.specificType(name, 'CHAR(36)').collate('ascii_bin');
const word = (table: Knex.CreateTableBuilder, name: string, length = 20) =>
  table.string(name, length).collate('ascii_bin');
const moment = (table: Knex.CreateTableBuilder, name: string) => table.dateTime(name, { precision: 3 });

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'tel_operations', (table) => {
    // Their order on an instance.
    table.bigIncrements('number');
    id(table, 'id').notNullable().unique();
    id(table, 'company_id').notNullable();
    uuid(table, 'instance').notNullable();
    word(table, 'kind').notNullable();
    id(table, 'extension_id').notNullable();
    table.bigInteger('extension_number').unsigned().notNullable();
    // Encrypted: it may hold credentials.
    table.text('payload').nullable();
    id(table, 'contact_id').nullable();
    table.boolean('is_owner').notNullable();
    word(table, 'address', 64).notNullable();
    table.specificType('idempotency_hash', 'CHAR(64)').collate('ascii_bin').nullable().unique();
    table.specificType('request_hash', 'CHAR(64)').collate('ascii_bin').nullable();
    word(table, 'state').notNullable();
    word(table, 'fault_kind').nullable();
    table.string('detail', 500).nullable();
    // Encrypted: what was answered.
    table.text('answer').nullable();
    table.integer('attempts').unsigned().notNullable().defaultTo(0);
    moment(table, 'deadline_at').notNullable();
    moment(table, 'created_at').notNullable();
    // When the PBX was last told something it may still do.
    moment(table, 'called_at').nullable();
    moment(table, 'next_try_at').notNullable();
    moment(table, 'finished_at').nullable();
    table.index(['instance', 'state', 'number']);
    table.index(['state', 'next_try_at']);
    table.index(['company_id', 'number']);
  });
  await createTable(db, 'tel_drift', (table) => {
    uuid(table, 'instance').primary();
    moment(table, 'at').notNullable();
    table.boolean('is_complete').notNullable();
    table.text('report').notNullable();
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('tel_drift');
  await db.schema.dropTable('tel_operations');
}
