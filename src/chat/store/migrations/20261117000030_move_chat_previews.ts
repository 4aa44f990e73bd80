/**
 * Messages whose linked pages are to be shown are mail like any other. Their old table stays for now, empty: nodes of the
 * release before write to it with their messages.
 */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(
    'INSERT INTO kernel_mail (mailbox, tenant, address, body, state, due_at, created_at) ' +
      "SELECT 'chat-previews', CONCAT('chat:', realm_id), CONCAT(realm_id, '-', message_id), " +
      "JSON_OBJECT('realmId', realm_id, 'messageId', message_id), 'pending', created_at, created_at " +
      'FROM chat_pending_previews',
  );
  await db('chat_pending_previews').delete();
}

export async function down(db: Knex): Promise<void> {
  await db.raw(
    'INSERT IGNORE INTO chat_pending_previews (realm_id, message_id, created_at) ' +
      "SELECT JSON_EXTRACT(body, '$.realmId'), JSON_EXTRACT(body, '$.messageId'), created_at FROM kernel_mail " +
      "WHERE mailbox = 'chat-previews' AND state = 'pending'",
  );
  await db('kernel_mail').where({ mailbox: 'chat-previews' }).delete();
}
