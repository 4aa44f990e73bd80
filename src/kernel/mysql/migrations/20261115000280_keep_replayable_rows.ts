/** Outbox rows that clients may ask for again: kept longer, and never in the way of the others. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('kernel_outbox', (table) => {
    table.boolean('is_replayable').notNullable().defaultTo(false);
    // Replaces the previous index: sweeping and deleting each read one kind of row, in order of time.
    table.index(['is_replayable', 'carried_at', 'created_at'], 'kernel_outbox_told_index');
    table.dropIndex(['carried_at', 'created_at']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('kernel_outbox', (table) => {
    table.index(['carried_at', 'created_at']);
    table.dropIndex([], 'kernel_outbox_told_index');
    table.dropColumn('is_replayable');
  });
}
