/**
 * Marks whose messages nobody was told of yet are mail like any other. Those that nodes of release 0.1 leave in the outbox
 * are moved by workers of this release.
 */
import type { Knex } from 'knex';

export const up = () => Promise.resolve();

export async function down(db: Knex): Promise<void> {
  await db.raw(
    'INSERT INTO kernel_outbox (carrier, tenant, body, created_at) ' +
      `SELECT 'read-marks', tenant, REPLACE(body, '"range":', '"stretch":'), created_at FROM kernel_mail ` +
      "WHERE mailbox = 'chat-read-marks' AND state = 'pending'",
  );
  await db('kernel_mail').where({ mailbox: 'chat-read-marks' }).delete();
}
