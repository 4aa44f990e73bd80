/** Rows of chat_deliveries for operators: find them by bot, integration, id or reason, and replay them. */
import type { Knex } from 'knex';
import { newId } from '../../../kernel/id';
import type { MailboxAdminOptions } from '../../../kernel/mailbox/mailbox-admin';
import type { Row } from '../../../kernel/mailbox/mailbox';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import { botEmails, rowsOfBot } from './bot-rows';

/** A delivery is identified by its integration and the service's own id for it. */
export const deliveryAdmin = (integrations: readonly string[]): MailboxAdminOptions => ({
  name: 'deliveries',
  about: 'deliveries of external services; subject is the bot, kind the integration',
  kind: 'integration',
  emptied: ['notice', 'notified_at'],
  async show(db, rows) {
    const emails = await botEmails(db, rows);
    return rows.map((row) => ({
      tenant: realmTenant(row['realm_id'] as RealmId),
      subject: emails(row),
      kind: row['integration'] as string,
      reference: ownIdOf(row),
      payload: JSON.parse(row['payload'] as string) as unknown,
      more: {
        event: row['event'],
        stream: row['stream'],
        topic: row['topic'],
        message_id: row['message_id'],
        owner_notified_at: (row['notified_at'] as Date | null)?.toISOString() ?? null,
      },
    }));
  },
  bySubject: rowsOfBot,
  isSubjectIndexed: true,
  byReference(rows, reference) {
    const own = reference.replaceAll(/[\\%_]/g, '\\$&');
    for (const name of integrations) rows.orWhere('dedupe_key', 'like', `${name}:${own}@%`);
    return rows;
  },
  replay,
});

/** The service's own id, if it gave one. */
function ownIdOf(row: Row): string | null {
  const dedupeKey = row['dedupe_key'] as string;
  const integration = row['integration'] as string;
  const at = dedupeKey.lastIndexOf('@');
  return at > 0 && dedupeKey.startsWith(`${integration}:`) ? dedupeKey.slice(integration.length + 1, at) : null;
}

const COPIED = ['realm_id', 'bot_id', 'integration', 'stream', 'topic', 'payload', 'event', 'notices'].join(', ');

/** Replays deliveries: a pending copy of each becomes a new message. */
async function replay(db: Knex, rows: readonly Row[]): Promise<Row[]> {
  const token = newId();
  const copies: Row[] = [];
  for (const row of rows) {
    const [made] = (await db.raw(
      `INSERT INTO chat_deliveries (${COPIED}, dedupe_key, state, created_at)
       SELECT ${COPIED}, ?, 'pending', NOW(3) FROM chat_deliveries WHERE id = ?`,
      [`replay:${String(row['id'])}:${token}`, row['id'] as number],
    )) as [{ insertId: number }];
    copies.push({ ...row, id: made.insertId });
  }
  return copies;
}
