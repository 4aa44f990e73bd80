/** The mail of mailboxes that have no table of their own, and the leases of all mailboxes. */
import type { Knex } from 'knex';
import { createTable } from '../create-table';

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'kernel_mail', (table) => {
    table.bigIncrements('id');
    table.string('mailbox', 32).collate('ascii_bin').notNullable();
    table.string('tenant', 64).collate('ascii_bin').notNullable();
    table.string('address', 64).collate('ascii_bin').notNullable();
    table.specificType('body', 'MEDIUMTEXT').notNullable();
    table.string('state', 8).collate('ascii_bin').notNullable();
    table.integer('attempts').unsigned().notNullable().defaultTo(0);
    table.string('reason', 1000).nullable();
    table.dateTime('due_at', { precision: 3 }).notNullable();
    table.dateTime('created_at', { precision: 3 }).notNullable();
    table.dateTime('finished_at', { precision: 3 }).nullable();
    table.index(['mailbox', 'address', 'state', 'id']);
    table.index(['mailbox', 'state', 'due_at']);
  });
  await createTable(db, 'kernel_mailbox_leases', (table) => {
    table.string('address', 190).collate('ascii_bin').primary();
    // Random: a late writer never has the name of a later holder.
    table.string('holder', 24).collate('ascii_bin').notNullable();
    table.dateTime('held_until', { precision: 3 }).notNullable();
    table.integer('takeovers').unsigned().notNullable();
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('kernel_mailbox_leases');
  await db.schema.dropTable('kernel_mail');
}
