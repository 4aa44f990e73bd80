/**
 * Messages whose linked pages are to be shown are mail like any other. Their old table stays: nodes of release 0.1 write to
 * it with their messages, and workers of this release move what they find.
 */
import type { Knex } from 'knex';

export const up = () => Promise.resolve();

export async function down(db: Knex): Promise<void> {
  await db.raw(
    'INSERT IGNORE INTO chat_pending_previews (realm_id, message_id, created_at) ' +
      "SELECT JSON_EXTRACT(body, '$.realmId'), JSON_EXTRACT(body, '$.messageId'), created_at FROM kernel_mail " +
      "WHERE mailbox = 'chat-previews' AND state = 'pending'",
  );
  await db('kernel_mail').where({ mailbox: 'chat-previews' }).delete();
}
