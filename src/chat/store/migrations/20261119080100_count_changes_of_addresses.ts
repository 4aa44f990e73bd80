/** Counts how often the address of a user was changed, so that a link to a new address works once. */
import type { Knex } from 'knex';

const TABLE = 'chat_users';

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  if (await db.schema.hasColumn(TABLE, 'email_changes')) return;
  await db.raw(`ALTER TABLE ${TABLE} ADD COLUMN email_changes INT UNSIGNED NOT NULL DEFAULT 0`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`ALTER TABLE ${TABLE} DROP COLUMN email_changes`);
}
