/** Letters of the portal are mail like any other: those that wait move to the kernel's table. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await db.raw(
    'INSERT INTO kernel_mail (mailbox, tenant, address, body, state, attempts, due_at, created_at) ' +
      "SELECT 'portal-mail', 'tel:portal', id, letter, 'pending', attempts, due_at, asked_at FROM tel_letters",
  );
  await db.schema.dropTable('tel_letters');
}

export async function down(db: Knex): Promise<void> {
  await createTable(db, 'tel_letters', (table) => {
    table.specificType('id', 'CHAR(24)').collate('ascii_bin').primary();
    table.text('letter').notNullable();
    table.dateTime('asked_at', { precision: 3 }).notNullable();
    table.integer('attempts').unsigned().notNullable().defaultTo(0);
    table.dateTime('due_at', { precision: 3 }).notNullable().index();
  });
  await db.raw(
    'INSERT INTO tel_letters (id, letter, asked_at, attempts, due_at) ' +
      "SELECT address, body, created_at, attempts, due_at FROM kernel_mail WHERE mailbox = 'portal-mail' AND state = 'pending'",
  );
  await db('kernel_mail').where({ mailbox: 'portal-mail' }).delete();
}
