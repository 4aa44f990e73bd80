/** Mail says of which form its body is, so that a worker leaves what a later release has written to a worker of that one. */
import type { Knex } from 'knex';

export const up = (db: Knex) =>
  db.schema.alterTable('kernel_mail', (table) => void table.tinyint('version').unsigned().notNullable().defaultTo(1));

export const down = (db: Knex) => db.schema.alterTable('kernel_mail', (table) => void table.dropColumn('version'));
