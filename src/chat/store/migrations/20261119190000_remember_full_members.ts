/** Until when people joined whom clients know as full members. Null: nobody was told yet, and the clock says it. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  if (await db.schema.hasColumn('chat_realms', 'full_members_until')) return;
  await db.raw('ALTER TABLE chat_realms ADD COLUMN full_members_until DATETIME(3) NULL');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('ALTER TABLE chat_realms DROP COLUMN full_members_until');
}
