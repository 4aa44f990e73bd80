/** Lists of extensions: texts are searched byte by byte, many times faster than as characters, and sorted by an index. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  // They are lower case already, and bytes of UTF-8 sort as its characters do. As long as the longest text may be.
  await db.raw(
    'ALTER TABLE tel_extensions MODIFY search_text VARBINARY(1600) NOT NULL, MODIFY user_text VARBINARY(1200) NOT NULL, ' +
      'ADD COLUMN is_alone TINYINT(1) AS (LENGTH(user_text) = 0) VIRTUAL',
  );
  await db.raw(
    'ALTER TABLE tel_extensions ADD INDEX tel_extensions_by_user ' +
      '(pbx, is_visible, is_alone, user_text, number, purpose, search_text)',
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw('ALTER TABLE tel_extensions DROP INDEX tel_extensions_by_user, DROP COLUMN is_alone');
  await db.raw(
    'ALTER TABLE tel_extensions MODIFY search_text VARCHAR(400) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, ' +
      'MODIFY user_text VARCHAR(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL',
  );
}
