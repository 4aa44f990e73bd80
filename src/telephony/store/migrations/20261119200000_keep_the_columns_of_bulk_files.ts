/** The results of a bulk order name the columns and lines of the file that it came from, in every browser. */
import type { Knex } from 'knex';

const TABLE = 'tel_bulk_orders';

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  if (await db.schema.hasColumn(TABLE, 'file_names')) return;
  await db.raw(`ALTER TABLE ${TABLE} ADD COLUMN file_names TEXT NULL`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`ALTER TABLE ${TABLE} DROP COLUMN file_names`);
}
