/** Addresses to which companies have their events posted, and what became of each event. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

const id = (table: Knex.CreateTableBuilder, name: string) => table.specificType(name, 'CHAR(24)').collate('ascii_bin');
const moment = (table: Knex.CreateTableBuilder, name: string) => table.dateTime(name, { precision: 3 });

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'tel_webhooks', (table) => {
    id(table, 'id').primary();
    id(table, 'company_id').notNullable().references('tel_companies.id');
    table.string('url', 500).notNullable();
    // Encrypted: events are signed with it.
    table.text('secret').notNullable();
    // Names of events with commas between them; empty: all.
    table.string('events', 500).collate('ascii_bin').notNullable();
    table.boolean('is_active').notNullable();
    // The number of the last event of the company that became a delivery.
    table.bigInteger('position').unsigned().notNullable();
    moment(table, 'created_at').notNullable();
    table.index(['company_id']);
    table.index(['is_active']);
  });
  await createTable(db, 'tel_webhook_deliveries', (table) => {
    table.bigIncrements('id');
    id(table, 'webhook_id').notNullable().references('tel_webhooks.id').onDelete('CASCADE');
    table.string('event', 64).collate('ascii_bin').notNullable();
    table.specificType('body', 'MEDIUMTEXT').notNullable();
    table.string('state', 10).collate('ascii_bin').notNullable();
    table.integer('attempts').unsigned().notNullable().defaultTo(0);
    table.string('answer', 300).nullable();
    moment(table, 'due_at').notNullable();
    moment(table, 'created_at').notNullable();
    moment(table, 'finished_at').nullable();
    table.index(['webhook_id', 'state', 'id']);
    table.index(['state', 'due_at']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('tel_webhook_deliveries');
  await db.schema.dropTable('tel_webhooks');
}
