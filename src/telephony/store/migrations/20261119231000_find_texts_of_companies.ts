/** Reads a company's texts by their time, so that a search through all of them takes them in parts. */
import type { Knex } from 'knex';

const TABLE = 'tel_texts';
const INDEX = `${TABLE}_searched`;

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  const [found] = (await db.raw(`SHOW INDEX FROM ${TABLE} WHERE Key_name = ?`, [INDEX])) as [readonly unknown[]];
  if (found.length > 0) return;
  await db.raw(`ALTER TABLE ${TABLE} ADD INDEX ${INDEX} (company_id, created_at, id)`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`ALTER TABLE ${TABLE} DROP INDEX ${INDEX}`);
}
