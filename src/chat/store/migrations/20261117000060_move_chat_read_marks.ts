/** Marks whose messages nobody was told of yet are mail like any other. One that is told twice changes nothing. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(
    'INSERT INTO kernel_mail (mailbox, tenant, address, body, state, due_at, created_at) ' +
      "SELECT 'chat-read-marks', tenant, JSON_EXTRACT(body, '$.userId'), body, 'pending', created_at, created_at " +
      "FROM kernel_outbox WHERE carrier = 'read-marks' AND carried_at IS NULL",
  );
  await db('kernel_outbox').where({ carrier: 'read-marks' }).whereNull('carried_at').delete();
}

export async function down(db: Knex): Promise<void> {
  await db.raw(
    'INSERT INTO kernel_outbox (carrier, tenant, body, created_at) ' +
      "SELECT 'read-marks', tenant, body, created_at FROM kernel_mail " +
      "WHERE mailbox = 'chat-read-marks' AND state = 'pending'",
  );
  await db('kernel_mail').where({ mailbox: 'chat-read-marks' }).delete();
}
