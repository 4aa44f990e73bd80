/** The outbox with its counters, the replies that jobs owe, and the fences of leased actors. */
import type { Knex } from 'knex';
import { createTable } from '../create-table';

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'kernel_counters', (table) => {
    table.string('tenant', 64).collate('ascii_bin').primary();
    table.bigInteger('event_number').unsigned().notNullable().defaultTo(0);
    // For products that number their records in commit order too, such as chat's messages.
    table.bigInteger('record_number').unsigned().notNullable().defaultTo(0);
  });
  await createTable(db, 'kernel_outbox', (table) => {
    table.bigIncrements('id');
    table.string('carrier', 32).collate('ascii_bin').notNullable();
    table.string('tenant', 64).collate('ascii_bin').notNullable();
    table.bigInteger('number').unsigned().nullable();
    table.specificType('body', 'MEDIUMTEXT').notNullable();
    table.dateTime('created_at', { precision: 3 }).notNullable();
    table.dateTime('carried_at', { precision: 3 }).nullable();
    table.dateTime('claimed_until', { precision: 3 }).nullable();
    table.string('claimed_by', 24).collate('ascii_bin').nullable();
    table.unique(['tenant', 'number']);
    table.index(['carried_at', 'created_at']);
    table.index(['claimed_by']);
  });
  await createTable(db, 'kernel_asks', (table) => {
    table.string('id', 24).collate('ascii_bin').primary();
    table.string('job', 64).collate('ascii_bin').notNullable();
    table.string('state', 8).collate('ascii_bin').notNullable();
    table.specificType('answer', 'MEDIUMTEXT').nullable();
    table.dateTime('created_at', { precision: 3 }).notNullable();
    table.dateTime('finished_at', { precision: 3 }).nullable();
    table.index(['created_at']);
  });
  await createTable(db, 'kernel_fences', (table) => {
    table.string('address', 190).collate('ascii_bin').primary();
    table.bigInteger('fence').unsigned().notNullable();
  });
}

export async function down(db: Knex): Promise<void> {
  for (const table of ['kernel_fences', 'kernel_asks', 'kernel_outbox', 'kernel_counters']) {
    await db.schema.dropTable(table);
  }
}
