/** Rows of the outbox that clients may ask for again: kept longer, and never in the way of those that are not. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('kernel_outbox', (table) => {
    table.boolean('is_replayable').notNullable().defaultTo(false);
    // In place of the index before: sweeping and forgetting each look at one kind of row, in the order of time.
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
