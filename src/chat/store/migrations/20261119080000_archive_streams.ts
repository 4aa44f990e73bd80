/** Streams may be archived: they stay readable, and nobody can write to them. */
import type { Knex } from 'knex';

const TABLE = 'chat_streams';

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  if (await db.schema.hasColumn(TABLE, 'is_archived')) return;
  await db.raw(`ALTER TABLE ${TABLE} ADD COLUMN is_archived TINYINT(1) NOT NULL DEFAULT 0`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`ALTER TABLE ${TABLE} DROP COLUMN is_archived`);
}
