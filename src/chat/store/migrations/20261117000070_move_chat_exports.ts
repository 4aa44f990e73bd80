/** Exports that are to be written are mail like any other; those of release 0.1 are found by their rows. */
import type { Knex } from 'knex';

export const up = () => Promise.resolve();

/** Those that still wait are found by the sweep of the release before. */
export async function down(db: Knex): Promise<void> {
  await db('kernel_mail').where({ mailbox: 'chat-exports' }).delete();
}
