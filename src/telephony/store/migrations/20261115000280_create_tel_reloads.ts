/** Reloads that PBXs wait for, and by what an order is recognised on a PBX that cannot keep its id. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

const moment = (table: Knex.CreateTableBuilder, name: string) => table.dateTime(name, { precision: 3 });

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('tel_operations', (table) => {
    table.specificType('mark', 'CHAR(64)').collate('ascii_bin').nullable();
    table.index(['instance', 'mark']);
  });
  await createTable(db, 'tel_reloads', (table) => {
    table.specificType('instance', 'CHAR(36)').collate('ascii_bin').primary();
    // When the changes made since the last reload are to be applied; null when there are none.
    moment(table, 'wanted_at').nullable();
    // The reload under way, as the PBX calls it, and when to ask about it.
    table.string('transaction', 64).collate('ascii_bin').nullable();
    moment(table, 'look_at').nullable();
    moment(table, 'reloaded_at').nullable();
    table.index(['wanted_at']);
    table.index(['look_at']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('tel_reloads');
  await db.schema.alterTable('tel_operations', (table) => {
    table.dropIndex(['instance', 'mark']);
    table.dropColumn('mark');
  });
}
