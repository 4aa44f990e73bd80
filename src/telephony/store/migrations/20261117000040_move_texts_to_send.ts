/** Texts that wait for a carrier are mail of the kernel's table; that a carrier was called stays with the text. */
import type { Knex } from 'knex';

const WAITING = 's.status_rank < 2 AND s.carrier_message_id IS NULL';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('tel_text_sends', (table) => {
    // When the carrier was called; null again once it is certain that it did not take the text.
    table.dateTime('called_at', { precision: 3 }).nullable();
    table.dropIndex(['status_rank', 'updated_at']);
  });
  await db.raw('UPDATE tel_text_sends AS s JOIN tel_send_tries AS y ON y.send_id = s.id SET s.called_at = y.called_at');
  await db.raw(
    'INSERT INTO kernel_mail (mailbox, tenant, address, body, state, attempts, reason, due_at, created_at) ' +
      "SELECT 'texting-outbound', CONCAT('tel:', c.company_id), s.conversation_id, JSON_OBJECT('sendId', s.id), 'pending', " +
      'COALESCE(y.tries, 0), y.error, COALESCE(y.next_try_at, NOW(3)), COALESCE(y.created_at, s.created_at) ' +
      'FROM tel_text_sends AS s JOIN tel_conversations AS c ON c.id = s.conversation_id ' +
      `LEFT JOIN tel_send_tries AS y ON y.send_id = s.id WHERE ${WAITING} ORDER BY s.conversation_id, s.seq, s.position`,
  );
  await db.schema.dropTable('tel_send_tries');
}

export async function down(db: Knex): Promise<void> {
  await db.raw(
    'CREATE TABLE tel_send_tries (send_id CHAR(24) COLLATE ascii_bin NOT NULL PRIMARY KEY, tries SMALLINT UNSIGNED NOT NULL, ' +
      'called_at DATETIME(3) NULL, next_try_at DATETIME(3) NOT NULL, created_at DATETIME(3) NOT NULL, error VARCHAR(500) NULL)',
  );
  await db.raw(
    'INSERT INTO tel_send_tries (send_id, tries, called_at, next_try_at, created_at) ' +
      `SELECT s.id, 1, s.called_at, NOW(3), s.created_at FROM tel_text_sends AS s WHERE ${WAITING} AND s.called_at IS NOT NULL`,
  );
  await db.schema.alterTable('tel_text_sends', (table) => {
    table.index(['status_rank', 'updated_at']);
    table.dropColumn('called_at');
  });
  await db('kernel_mail').where({ mailbox: 'texting-outbound' }).delete();
}
