/** Who may write to a stream, where it is neither everybody nor administrators alone, and who created it. */
import type { Knex } from 'knex';

const TABLE = 'chat_streams';

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  if (await db.schema.hasColumn(TABLE, 'post_policy')) return;
  await db.raw(
    `ALTER TABLE ${TABLE} ADD COLUMN post_policy TINYINT UNSIGNED NOT NULL DEFAULT 1, ` +
      'ADD COLUMN creator_id INT UNSIGNED NULL',
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`ALTER TABLE ${TABLE} DROP COLUMN post_policy, DROP COLUMN creator_id`);
}
