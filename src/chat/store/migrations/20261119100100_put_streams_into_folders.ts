/** A stream may lie in a folder. */
import type { Knex } from 'knex';

const TABLE = 'chat_streams';

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  if (await db.schema.hasColumn(TABLE, 'folder_id')) return;
  await db.raw(`ALTER TABLE ${TABLE} ADD COLUMN folder_id INT UNSIGNED NULL DEFAULT NULL`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`ALTER TABLE ${TABLE} DROP COLUMN folder_id`);
}
