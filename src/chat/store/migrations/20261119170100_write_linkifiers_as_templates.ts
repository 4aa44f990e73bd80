/** The address of a linkifier as an RFC 6570 template, if it was written as one. The format for clients of 2.1 stays. */
import type { Knex } from 'knex';

const TABLE = 'chat_linkifiers';

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  if (await db.schema.hasColumn(TABLE, 'url_template')) return;
  await db.raw(`ALTER TABLE ${TABLE} ADD COLUMN url_template VARCHAR(1000) NULL`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`ALTER TABLE ${TABLE} DROP COLUMN url_template`);
}
