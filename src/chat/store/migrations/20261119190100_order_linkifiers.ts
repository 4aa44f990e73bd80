/** Linkifiers have an order, which decides where several fit. Those of before, and of a release before, come first, by age. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  if (await db.schema.hasColumn('chat_linkifiers', 'place')) return;
  await db.raw('ALTER TABLE chat_linkifiers ADD COLUMN place INT NOT NULL DEFAULT 0');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('ALTER TABLE chat_linkifiers DROP COLUMN place');
}
