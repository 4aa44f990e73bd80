/** Finds the invitations that were requested with a reusable link, so that the link is kept for them. */
import type { Knex } from 'knex';

const TABLE = 'chat_invitations';
const INDEX = `${TABLE}_link_id_index`;

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  const [found] = (await db.raw(`SHOW INDEX FROM ${TABLE} WHERE Key_name = ?`, [INDEX])) as [readonly unknown[]];
  if (found.length > 0) return;
  await db.raw(`ALTER TABLE ${TABLE} ADD INDEX ${INDEX} (link_id)`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`ALTER TABLE ${TABLE} DROP INDEX ${INDEX}`);
}
