/** What an owner knows of the company's API keys: a name, rights, the last use and the end. */
import type { Knex } from 'knex';

export const up = (db: Knex) =>
  db.schema.alterTable('tel_keys', (table) => {
    table.string('name', 100).notNullable().defaultTo('');
    table.string('rights', 10).collate('ascii_bin').notNullable().defaultTo('write');
    table.dateTime('last_used_at', { precision: 3 }).nullable();
    table.dateTime('ends_at', { precision: 3 }).nullable();
  });

export const down = (db: Knex) =>
  db.schema.alterTable('tel_keys', (table) => {
    table.dropColumns('name', 'rights', 'last_used_at', 'ends_at');
  });
