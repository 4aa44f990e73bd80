/** Owners are administrators and moderators are members with a title. The first administrator becomes the owner. */
import type { Knex } from 'knex';

const FIRST =
  "SELECT MIN(id) AS id FROM chat_users WHERE role = 'admin' AND is_active AND bot_type IS NULL GROUP BY realm_id";

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  if (!(await db.schema.hasColumn('chat_users', 'title'))) {
    await db.raw('ALTER TABLE chat_users ADD COLUMN title VARCHAR(10) COLLATE ascii_bin NULL');
  }
  await db.raw(`UPDATE chat_users u JOIN (${FIRST}) f ON f.id = u.id SET u.title = 'owner'`);
  if (await db.schema.hasColumn('chat_invitations', 'title')) return;
  await db.raw('ALTER TABLE chat_invitations ADD COLUMN title VARCHAR(10) COLLATE ascii_bin NULL');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('ALTER TABLE chat_users DROP COLUMN title');
  await db.raw('ALTER TABLE chat_invitations DROP COLUMN title');
}
