/** Exports that are to be written are mail like any other. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(
    'INSERT INTO kernel_mail (mailbox, tenant, address, body, state, due_at, created_at) ' +
      "SELECT 'chat-exports', CONCAT('chat:', realm_id), CONCAT('export-', id), " +
      "JSON_OBJECT('realmId', realm_id, 'exportId', id), 'pending', NOW(3), NOW(3) " +
      "FROM chat_exports WHERE state = 'pending'",
  );
}

/** Those that still wait are found by the sweep of the release before. */
export async function down(db: Knex): Promise<void> {
  await db('kernel_mail').where({ mailbox: 'chat-exports' }).delete();
}
