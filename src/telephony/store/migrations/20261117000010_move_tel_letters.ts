/**
 * Letters of the portal are mail like any other. Their table stays, as nodes and workers of release 0.1 use it beside those
 * of this one; what lies there is moved once no worker of that release runs any more.
 */
import type { Knex } from 'knex';

export const up = () => Promise.resolve();

export async function down(db: Knex): Promise<void> {
  await db.raw(
    'INSERT INTO tel_letters (id, letter, asked_at, attempts, due_at) ' +
      "SELECT address, body, created_at, attempts, due_at FROM kernel_mail WHERE mailbox = 'portal-mail' AND state = 'pending'",
  );
  await db('kernel_mail').where({ mailbox: 'portal-mail' }).delete();
}
