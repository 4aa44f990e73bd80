/** Muted topics also tell of unmuted and followed ones: see model/streams/topic-policy.ts. */
import type { Knex } from 'knex';

const TABLE = 'chat_muted_topics';

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  if (await db.schema.hasColumn(TABLE, 'policy')) return;
  await db.raw(
    `ALTER TABLE ${TABLE} ADD COLUMN policy TINYINT UNSIGNED NOT NULL DEFAULT 1, ` +
      'ADD COLUMN updated_at INT UNSIGNED NOT NULL DEFAULT 0, ' +
      `ADD INDEX ${TABLE}_stream_id_topic_key_index (stream_id, topic_key)`,
  );
}

export async function down(db: Knex): Promise<void> {
  // What the release before reads from the table, it reads as muted.
  await db(TABLE).where('policy', '<>', 1).delete();
  await db.raw(
    `ALTER TABLE ${TABLE} DROP INDEX ${TABLE}_stream_id_topic_key_index, DROP COLUMN policy, DROP COLUMN updated_at`,
  );
}
