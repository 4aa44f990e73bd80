/** An outbox row may hold several events of one commit; its number is that of the last event. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('kernel_outbox', (table) => {
    table.smallint('events').unsigned().notNullable().defaultTo(1);
    // If events leave a gap for the number of their record: the number for the first gap.
    table.bigInteger('first_record').unsigned().nullable();
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('kernel_outbox', (table) => {
    table.dropColumn('events');
    table.dropColumn('first_record');
  });
}
