/** The domains of addresses with which an organisation lets people join, where it restricts them. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export const up = (db: Knex) =>
  createTable(db, 'chat_realm_domains', (table) => {
    table.increments('id');
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    table.string('domain', 255).collate('ascii_bin').notNullable();
    table.boolean('allow_subdomains').notNullable().defaultTo(false);
    table.unique(['realm_id', 'domain']);
  });

export const down = (db: Knex) => db.schema.dropTable('chat_realm_domains');
