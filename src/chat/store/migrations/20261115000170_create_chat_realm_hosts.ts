/** Host names of their own that organisations are reached by, besides their subdomains. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'chat_realm_hosts', (table) => {
    table.string('host', 253).collate('ascii_bin').primary();
    table.integer('realm_id').unsigned().notNullable().references('chat_realms.id');
    // The first is the one that links lead to.
    table.tinyint('place').unsigned().notNullable();
    table.index(['realm_id', 'place']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('chat_realm_hosts');
}
