/** Invitations of contacts, extensions, and who did what. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

const id = (table: Knex.CreateTableBuilder, name: string) => table.specificType(name, 'CHAR(24)').collate('ascii_bin');
const uuid = (table: Knex.CreateTableBuilder, name: string) =>
  table.specificType(name, 'CHAR(36)').collate('ascii_bin');
const moment = (table: Knex.CreateTableBuilder, name: string) => table.dateTime(name, { precision: 3 });

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('tel_contacts', (table) => {
    moment(table, 'invited_at').nullable();
    moment(table, 'invitation_ends_at').nullable();
    moment(table, 'accepted_at').nullable();
    table.specificType('invitation_hash', 'CHAR(64)').collate('ascii_bin').nullable().unique();
    moment(table, 'last_enter_at').nullable();
    table.index(['company_id', 'first_name']);
  });
  await db.schema.alterTable('tel_instances', (table) => {
    table.text('credentials').nullable();
  });
  await createTable(db, 'tel_extensions', (table) => {
    id(table, 'id').primary();
    id(table, 'company_id').notNullable().references('tel_companies.id');
    uuid(table, 'pbx').notNullable().references('tel_instances.uuid');
    table.bigInteger('number').unsigned().notNullable();
    table.string('name', 100).notNullable();
    table.string('description', 255).notNullable();
    id(table, 'user_id').nullable().references('tel_contacts.id');
    id(table, 'location_id').notNullable().references('tel_locations.id');
    table.string('purpose', 20).collate('ascii_bin').notNullable();
    // False while its number is only reserved.
    table.boolean('is_visible').notNullable();
    table.text('data').notNullable();
    table.text('credentials').notNullable();
    // Lower case, so that a search need not fold each row.
    table.string('search_text', 400).collate('utf8mb4_bin').notNullable();
    table.string('user_text', 300).collate('utf8mb4_bin').notNullable();
    moment(table, 'created_at').notNullable();
    moment(table, 'updated_at').notNullable();
    table.unique(['pbx', 'number']);
    // Every list is read from this index alone; rows are fetched for one page.
    table.index(['pbx', 'is_visible', 'number', 'purpose', 'search_text', 'user_text'], 'tel_extensions_listed');
    table.index(['user_id', 'number']);
    table.index(['company_id', 'is_visible', 'number']);
  });
  await createTable(db, 'tel_audit', (table) => {
    table.bigIncrements('id');
    id(table, 'company_id').notNullable();
    id(table, 'contact_id').nullable();
    table.string('address', 64).collate('ascii_bin').notNullable();
    table.string('action', 40).collate('ascii_bin').notNullable();
    table.string('object_type', 20).collate('ascii_bin').notNullable();
    table.string('object_id', 36).collate('ascii_bin').notNullable();
    table.text('detail').notNullable();
    moment(table, 'at').notNullable();
    table.index(['company_id', 'id']);
    table.index(['company_id', 'object_id', 'id']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('tel_audit');
  await db.schema.dropTable('tel_extensions');
  await db.schema.alterTable('tel_instances', (table) => table.dropColumn('credentials'));
  await db.schema.alterTable('tel_contacts', (table) => {
    table.dropIndex(['company_id', 'first_name']);
    table.dropColumns('invited_at', 'invitation_ends_at', 'accepted_at', 'invitation_hash', 'last_enter_at');
  });
}
