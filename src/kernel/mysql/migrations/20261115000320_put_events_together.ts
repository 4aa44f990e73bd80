/** A row of the outbox may hold several events of one commit; its number is that of the last. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('kernel_outbox', (table) => {
    table.smallint('events').unsigned().notNullable().defaultTo(1);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('kernel_outbox', (table) => {
    table.dropColumn('events');
  });
}
