/** A worker checks the rows of a bulk order by the rights of whoever placed it. */
import type { Knex } from 'knex';

export const up = (db: Knex) =>
  db.schema.alterTable('tel_bulk_orders', (table) => {
    table.boolean('is_at_portal').notNullable().defaultTo(false);
  });

export const down = (db: Knex) =>
  db.schema.alterTable('tel_bulk_orders', (table) => {
    table.dropColumn('is_at_portal');
  });
