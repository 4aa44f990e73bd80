/** Reusable links may be bounded by a number of uses; invitations know the link that they came from. */
import type { Knex } from 'knex';

const TABLE = 'chat_invitations';

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  if (await db.schema.hasColumn(TABLE, 'link_id')) return;
  await db.raw(
    `ALTER TABLE ${TABLE} ADD COLUMN uses INT UNSIGNED NOT NULL DEFAULT 0, ` +
      'ADD COLUMN max_uses INT UNSIGNED NULL, ADD COLUMN link_id INT UNSIGNED NULL',
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`ALTER TABLE ${TABLE} DROP COLUMN uses, DROP COLUMN max_uses, DROP COLUMN link_id`);
}
