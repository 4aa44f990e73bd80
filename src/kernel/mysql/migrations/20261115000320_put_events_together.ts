/** A row of the outbox may hold several events of one commit; its number is that of the last. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('kernel_outbox', (table) => {
    table.smallint('events').unsigned().notNullable().defaultTo(1);
    // Where events leave a gap for the number of the record they are about: what goes into the first.
    table.bigInteger('first_record').unsigned().nullable();
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('kernel_outbox', (table) => {
    table.dropColumn('events');
    table.dropColumn('first_record');
  });
}
