/** When a PBX's reload was begun, and how many failed in a row: one that never ends is given up, failures wait longer. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('tel_reloads', (table) => {
    table.dateTime('begun_at', { precision: 3 }).nullable();
    table.integer('failures').unsigned().notNullable().defaultTo(0);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('tel_reloads', (table) => {
    table.dropColumn('begun_at');
    table.dropColumn('failures');
  });
}
