/** Accounts with carriers, what carriers told us, and how often each text was tried. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

const id = (table: Knex.CreateTableBuilder, name: string) => table.specificType(name, 'CHAR(24)').collate('ascii_bin');
const hash = (table: Knex.CreateTableBuilder, name: string) =>
  table.specificType(name, 'CHAR(64)').collate('ascii_bin');
const word = (table: Knex.CreateTableBuilder, name: string, length = 20) =>
  table.string(name, length).collate('ascii_bin');
const moment = (table: Knex.CreateTableBuilder, name: string) => table.dateTime(name, { precision: 3 });

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'tel_carrier_accounts', (table) => {
    id(table, 'id').primary();
    id(table, 'company_id').notNullable().references('tel_companies.id');
    word(table, 'carrier').notNullable();
    table.string('api_url', 254).notNullable();
    hash(table, 'token_hash').notNullable().unique();
    // Encrypted: the token and what the carrier is spoken to with.
    table.text('sealed').notNullable();
    moment(table, 'created_at').notNullable();
    table.index(['company_id']);
  });
  await createTable(db, 'tel_carrier_calls', (table) => {
    table.bigIncrements('id');
    id(table, 'account_id').notNullable();
    // Of texts or of faxes: each is read by a command of its own.
    word(table, 'about', 10).notNullable();
    // The carrier's own name for the event, hashed; of the body where it has none.
    hash(table, 'sameness').notNullable();
    table.string('url', 500).notNullable();
    table.specificType('body', 'MEDIUMTEXT').notNullable();
    word(table, 'state', 10).notNullable();
    table.smallint('attempts').unsigned().notNullable().defaultTo(0);
    // The carrier's id of a text that we do not know yet.
    word(table, 'awaits', 128).nullable();
    table.string('error', 500).nullable();
    moment(table, 'created_at').notNullable();
    moment(table, 'next_try_at').notNullable();
    moment(table, 'finished_at').nullable();
    table.unique(['account_id', 'sameness']);
    table.index(['account_id', 'state', 'next_try_at', 'id'], 'tel_carrier_calls_due');
    table.index(['state', 'next_try_at']);
    table.index(['state', 'finished_at']);
    table.index(['account_id', 'awaits']);
  });
  await createTable(db, 'tel_send_tries', (table) => {
    id(table, 'send_id').primary();
    table.smallint('tries').unsigned().notNullable();
    // When the carrier was called; null again once it is certain that it did not take the text.
    moment(table, 'called_at').nullable();
    moment(table, 'next_try_at').notNullable();
    moment(table, 'created_at').notNullable();
    table.string('error', 500).nullable();
  });
}

export async function down(db: Knex): Promise<void> {
  for (const table of ['tel_send_tries', 'tel_carrier_calls', 'tel_carrier_accounts']) await db.schema.dropTable(table);
}
