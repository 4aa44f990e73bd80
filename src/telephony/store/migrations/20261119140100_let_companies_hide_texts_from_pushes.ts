/** A company may want that push notifications do not say what texts say. */
import type { Knex } from 'knex';

const TABLE = 'tel_companies';

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  if (await db.schema.hasColumn(TABLE, 'push_content')) return;
  await db.raw(`ALTER TABLE ${TABLE} ADD COLUMN push_content TINYINT(1) NOT NULL DEFAULT 1`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`ALTER TABLE ${TABLE} DROP COLUMN push_content`);
}
