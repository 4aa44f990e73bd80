/**
 * Thumbnails that are to be made are mail like any other. The column for when they were asked for stays: nodes of the
 * release before write it.
 */
import type { Knex } from 'knex';

const TENANT = "CONCAT('chat:', u.realm_id)";

export async function up(db: Knex): Promise<void> {
  await db.raw(
    'INSERT INTO kernel_mail (mailbox, tenant, address, body, state, due_at, created_at) ' +
      `SELECT 'chat-thumbnails', ${TENANT}, CONCAT('upload-', u.id), JSON_OBJECT('realmId', u.realm_id, 'uploadId', u.id), ` +
      "'pending', t.asked_at, t.asked_at FROM chat_upload_thumbnails t JOIN chat_uploads u ON u.id = t.upload_id " +
      'WHERE t.asked_at IS NOT NULL',
  );
  await db('chat_upload_thumbnails').whereNotNull('asked_at').delete();
}

export async function down(db: Knex): Promise<void> {
  await db.raw(
    'INSERT IGNORE INTO chat_upload_thumbnails (upload_id, asked_at) ' +
      "SELECT JSON_EXTRACT(body, '$.uploadId'), created_at FROM kernel_mail m " +
      "WHERE mailbox = 'chat-thumbnails' AND state = 'pending'",
  );
  await db('kernel_mail').where({ mailbox: 'chat-thumbnails' }).delete();
}
