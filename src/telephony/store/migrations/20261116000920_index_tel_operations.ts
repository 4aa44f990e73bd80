/** The portal shows what became of the last order about each extension. */
import type { Knex } from 'knex';

const NAME = 'tel_operations_of_extension';

export const up = (db: Knex) =>
  db.schema.alterTable('tel_operations', (table) => table.index(['instance', 'extension_number', 'number'], NAME));

export const down = (db: Knex) =>
  db.schema.alterTable('tel_operations', (table) => table.dropIndex(['instance', 'extension_number', 'number'], NAME));
