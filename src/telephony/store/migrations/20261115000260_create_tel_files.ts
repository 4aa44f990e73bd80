/** Files of companies with their bytes in pieces, faxes, and where faxes are announced. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

const id = (table: Knex.CreateTableBuilder, name: string) => table.specificType(name, 'CHAR(24)').collate('ascii_bin');
const word = (table: Knex.CreateTableBuilder, name: string, length = 20) =>
  table.string(name, length).collate('ascii_bin');
const moment = (table: Knex.CreateTableBuilder, name: string) => table.dateTime(name, { precision: 3 });

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'tel_files', (table) => {
    table.bigIncrements('number');
    id(table, 'id').notNullable().unique();
    id(table, 'company_id').notNullable().references('tel_companies.id');
    // Who brought it: a user of the company, or the texting contact it came from.
    id(table, 'user_id').nullable();
    table.string('name', 255).notNullable();
    // What the bytes were called when they were brought.
    table.string('uploaded_name', 255).notNullable().defaultTo('');
    table.string('description', 500).notNullable().defaultTo('');
    word(table, 'mimetype', 100).notNullable();
    table.bigInteger('size').unsigned().notNullable().defaultTo(0);
    // Where the carrier keeps it: a file that came with a text.
    table.string('source_url', 2000).nullable();
    moment(table, 'created_at').notNullable();
    moment(table, 'uploaded_at').nullable();
    table.index(['company_id', 'number']);
  });
  await createTable(db, 'tel_file_chunks', (table) => {
    id(table, 'file_id').notNullable().references('tel_files.id').onDelete('CASCADE');
    table.integer('place').unsigned().notNullable();
    table.specificType('bytes', 'MEDIUMBLOB').notNullable();
    table.primary(['file_id', 'place']);
  });
  await createTable(db, 'tel_faxes', (table) => {
    id(table, 'id').primary();
    id(table, 'company_id').notNullable().references('tel_companies.id');
    word(table, 'direction', 8).notNullable();
    word(table, 'status', 10).notNullable();
    id(table, 'file_id').nullable();
    word(table, 'from_number', 40).notNullable();
    table.string('from_name', 100).notNullable();
    word(table, 'to_number', 40).notNullable();
    table.string('to_name', 100).notNullable();
    table.string('subject', 255).notNullable();
    table.integer('pages').unsigned().notNullable();
    table.boolean('is_read').notNullable();
    id(table, 'carrier_account_id').notNullable();
    word(table, 'carrier_message_id', 128).nullable();
    table.smallint('tries').unsigned().notNullable().defaultTo(0);
    table.string('error', 500).nullable();
    moment(table, 'next_try_at').notNullable();
    moment(table, 'created_at').notNullable();
    table.unique(['carrier_account_id', 'carrier_message_id']);
    table.index(['company_id', 'created_at', 'id']);
    table.index(['company_id', 'is_read', 'created_at', 'id']);
    table.index(['status', 'next_try_at']);
    table.index(['file_id']);
  });
  await createTable(db, 'tel_fax_destinations', (table) => {
    id(table, 'id').primary();
    id(table, 'company_id').notNullable().references('tel_companies.id');
    table.text('emails').notNullable();
    moment(table, 'created_at').notNullable();
    table.index(['company_id', 'created_at', 'id']);
  });
}

export async function down(db: Knex): Promise<void> {
  for (const table of ['tel_fax_destinations', 'tel_faxes', 'tel_file_chunks', 'tel_files']) {
    await db.schema.dropTable(table);
  }
}
