/** The limits that operators set for a tenant. */
import type { Knex } from 'knex';
import { createTable } from '../create-table';

export const up = (db: Knex) =>
  createTable(db, 'kernel_tenant_limits', (table) => {
    table.string('tenant', 64).collate('ascii_bin').notNullable();
    table.string('name', 32).collate('ascii_bin').notNullable();
    table.integer('most').unsigned().notNullable();
    table.primary(['tenant', 'name']);
  });

export const down = (db: Knex) => db.schema.dropTable('kernel_tenant_limits');
