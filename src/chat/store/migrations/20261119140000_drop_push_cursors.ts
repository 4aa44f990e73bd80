/** One scan with one cursor, chat_missed_cursors, finds what is mailed and what is pushed. No release used this one. */
import type { Knex } from 'knex';

const TABLE = 'chat_push_cursors';

export async function up(db: Knex): Promise<void> {
  await db.schema.dropTableIfExists(TABLE);
}

export async function down(db: Knex): Promise<void> {
  if (await db.schema.hasTable(TABLE)) return;
  await db.raw(
    `CREATE TABLE ${TABLE} (realm_id INT UNSIGNED NOT NULL, pushed_id BIGINT UNSIGNED NOT NULL, ` +
      'PRIMARY KEY (realm_id)) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci',
  );
}
