/** A company says how long calls and recordings are kept; null is for ever. */
import type { Knex } from 'knex';

const TABLE = 'tel_companies';
const COLUMNS = ['call_days', 'recording_days'] as const;

export async function up(db: Knex): Promise<void> {
  for (const column of COLUMNS) {
    // A migration whose process was killed runs again.
    if (await db.schema.hasColumn(TABLE, column)) continue;
    await db.raw(`ALTER TABLE ${TABLE} ADD COLUMN ${column} SMALLINT UNSIGNED NULL`);
  }
}

export async function down(db: Knex): Promise<void> {
  for (const column of COLUMNS) await db.raw(`ALTER TABLE ${TABLE} DROP COLUMN ${column}`);
}
