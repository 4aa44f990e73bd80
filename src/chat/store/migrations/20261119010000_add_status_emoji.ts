/** Statuses have an emoji and may have an end. */
import type { Knex } from 'knex';

const TABLE = 'chat_user_statuses';

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  if (await db.schema.hasColumn(TABLE, 'ends_at')) return;
  await db.raw(
    `ALTER TABLE ${TABLE} ADD COLUMN emoji_name VARCHAR(100) NOT NULL DEFAULT '', ` +
      "ADD COLUMN emoji_code VARCHAR(100) COLLATE ascii_bin NOT NULL DEFAULT '', " +
      "ADD COLUMN reaction_type VARCHAR(30) COLLATE ascii_bin NOT NULL DEFAULT '', " +
      'ADD COLUMN ends_at BIGINT UNSIGNED NULL',
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw(
    `ALTER TABLE ${TABLE} DROP COLUMN emoji_name, DROP COLUMN emoji_code, DROP COLUMN reaction_type, DROP COLUMN ends_at`,
  );
}
