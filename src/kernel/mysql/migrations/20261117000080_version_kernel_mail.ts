/** Adds the version of a mail's body, so that a worker leaves mail of a later release to that release's workers. */
import type { Knex } from 'knex';

export const up = (db: Knex) =>
  db.schema.alterTable('kernel_mail', (table) => void table.tinyint('version').unsigned().notNullable().defaultTo(1));

export const down = (db: Knex) => db.schema.alterTable('kernel_mail', (table) => void table.dropColumn('version'));
