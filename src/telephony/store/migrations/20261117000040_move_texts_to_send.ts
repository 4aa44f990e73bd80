/**
 * Texts that wait for a carrier are mail of the kernel's table, and that a carrier was called stays with the text. Where
 * release 0.1 writes that down stays too, and is read once no worker of that release runs any more.
 */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('tel_text_sends', (table) => {
    // When the carrier was called; null again once it is certain that it did not take the text.
    table.dateTime('called_at', { precision: 3 }).nullable();
  });
}

export async function down(db: Knex): Promise<void> {
  await db.raw(
    'INSERT IGNORE INTO tel_send_tries (send_id, tries, called_at, next_try_at, created_at) ' +
      'SELECT s.id, 1, s.called_at, NOW(3), s.created_at FROM tel_text_sends AS s ' +
      'WHERE s.status_rank < 2 AND s.carrier_message_id IS NULL AND s.called_at IS NOT NULL',
  );
  await db.schema.alterTable('tel_text_sends', (table) => table.dropColumn('called_at'));
  await db('kernel_mail').where({ mailbox: 'texting-outbound' }).delete();
}
