/**
 * Thumbnails that are to be made are mail like any other. Where release 0.1 notes them stays: its nodes write there, and
 * workers of this release move what they find. A migration cannot, as rows come while it runs.
 */
import type { Knex } from 'knex';

export const up = () => Promise.resolve();

export async function down(db: Knex): Promise<void> {
  await db.raw(
    'INSERT IGNORE INTO chat_upload_thumbnails (upload_id, asked_at) ' +
      "SELECT JSON_EXTRACT(body, '$.uploadId'), created_at FROM kernel_mail m " +
      "WHERE mailbox = 'chat-thumbnails' AND state = 'pending'",
  );
  await db('kernel_mail').where({ mailbox: 'chat-thumbnails' }).delete();
}
