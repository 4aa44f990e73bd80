/** How contacts sign in to the portal: their passwords, the links that were mailed to them, and their sessions. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

/** The release before removes contacts without knowing of these tables. */
const contact = (table: Knex.CreateTableBuilder) =>
  table.specificType('contact_id', 'CHAR(24)').collate('ascii_bin').notNullable();
const ofContact = (table: Knex.CreateTableBuilder) =>
  table.foreign('contact_id').references('tel_contacts.id').onDelete('CASCADE');
const hash = (table: Knex.CreateTableBuilder, name: string) =>
  table.specificType(name, 'CHAR(64)').collate('ascii_bin');
const moment = (table: Knex.CreateTableBuilder, name: string) => table.dateTime(name, { precision: 3 }).notNullable();

export async function up(db: Knex): Promise<void> {
  // Whoever signs in names an address and no company.
  await db.schema.alterTable('tel_contacts', (table) => table.index(['work_email_key'], 'tel_contacts_by_email_key'));
  await createTable(db, 'tel_passwords', (table) => {
    contact(table).primary();
    table.string('password_hash', 255).collate('ascii_bin').notNullable();
    moment(table, 'set_at');
    ofContact(table);
  });
  await createTable(db, 'tel_entry_links', (table) => {
    table.increments('id');
    contact(table);
    hash(table, 'token_hash').notNullable().unique();
    moment(table, 'ends_at');
    table.index(['ends_at']);
    ofContact(table);
  });
  await createTable(db, 'tel_sessions', (table) => {
    table.increments('id');
    contact(table);
    hash(table, 'token_hash').notNullable().unique();
    // The API key that opened it: both end together.
    hash(table, 'key_hash').nullable();
    table.string('opened_by', 10).collate('ascii_bin').notNullable();
    table.string('agent', 200).notNullable();
    table.string('address', 45).collate('ascii_bin').notNullable();
    moment(table, 'created_at');
    moment(table, 'last_used_at');
    table.index(['contact_id', 'last_used_at']);
    table.index(['key_hash']);
    table.index(['last_used_at']);
    ofContact(table);
  });
}

export async function down(db: Knex): Promise<void> {
  for (const table of ['tel_sessions', 'tel_entry_links', 'tel_passwords']) await db.schema.dropTable(table);
  await db.schema.alterTable('tel_contacts', (table) =>
    table.dropIndex(['work_email_key'], 'tel_contacts_by_email_key'),
  );
}
