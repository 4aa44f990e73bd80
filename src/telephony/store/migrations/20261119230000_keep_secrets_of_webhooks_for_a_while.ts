/** A webhook's secret is replaced without a gap: for a while events are signed with the one before as well. */
import type { Knex } from 'knex';

const TABLE = 'tel_webhooks';
const COLUMNS = {
  // Encrypted, like the secret itself.
  previous_secret: 'TEXT NULL',
  previous_ends_at: 'DATETIME(3) NULL',
} as const;

export async function up(db: Knex): Promise<void> {
  for (const [column, type] of Object.entries(COLUMNS)) {
    // A migration whose process was killed runs again.
    if (await db.schema.hasColumn(TABLE, column)) continue;
    await db.raw(`ALTER TABLE ${TABLE} ADD COLUMN ${column} ${type}`);
  }
}

export async function down(db: Knex): Promise<void> {
  for (const column of Object.keys(COLUMNS)) await db.raw(`ALTER TABLE ${TABLE} DROP COLUMN ${column}`);
}
