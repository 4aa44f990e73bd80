/** A request to schedule something may be repeated with its Idempotency-Key. */
import type { Knex } from 'knex';

const TABLE = 'chat_scheduled_messages';
const INDEX = 'chat_scheduled_messages_user_id_request_hash_unique';

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  if (await db.schema.hasColumn(TABLE, 'request_hash')) return;
  await db.raw(
    `ALTER TABLE ${TABLE} ADD COLUMN request_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL, ` +
      `ADD UNIQUE INDEX ${INDEX} (user_id, request_hash)`,
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`ALTER TABLE ${TABLE} DROP INDEX ${INDEX}, DROP COLUMN request_hash`);
}
