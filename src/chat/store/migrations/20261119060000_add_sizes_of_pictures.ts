/** The sizes of uploaded pictures, and the smaller copies that the chat page shows. */
import type { Knex } from 'knex';

const UPLOADS = 'chat_uploads';
const COPIES = 'chat_upload_copies';

export async function up(db: Knex): Promise<void> {
  await db.raw(
    `CREATE TABLE IF NOT EXISTS ${COPIES} (` +
      'upload_id INT UNSIGNED NOT NULL, size VARCHAR(10) COLLATE ascii_bin NOT NULL, bytes MEDIUMBLOB NOT NULL, ' +
      `PRIMARY KEY (upload_id, size), CONSTRAINT ${COPIES}_upload_id_foreign ` +
      `FOREIGN KEY (upload_id) REFERENCES ${UPLOADS} (id) ON DELETE CASCADE` +
      ') CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci',
  );
  // A migration whose process was killed runs again.
  if (await db.schema.hasColumn(UPLOADS, 'width')) return;
  await db.raw(
    `ALTER TABLE ${UPLOADS} ADD COLUMN width INT UNSIGNED NULL, ADD COLUMN height INT UNSIGNED NULL, ` +
      'ADD COLUMN is_animated TINYINT(1) NOT NULL DEFAULT 0',
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`DROP TABLE IF EXISTS ${COPIES}`);
  await db.raw(`ALTER TABLE ${UPLOADS} DROP COLUMN width, DROP COLUMN height, DROP COLUMN is_animated`);
}
