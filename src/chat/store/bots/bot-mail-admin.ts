/** The operators' views of deliveries to bots, which can be replayed, and of calls of outgoing webhook bots. */
import type { Knex } from 'knex';
import { newId } from '../../../kernel/id';
import type { MailboxAdminOptions, Shown } from '../../../kernel/mailbox/mailbox-admin';
import type { Row } from '../../../kernel/mailbox/mailbox';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import * as people from '../users/people';
import { looksLike } from '../users/user-emails';

/** Shows rows under their bots' addresses, or under the id of a bot that is gone. */
const shownByBot =
  (show: (row: Row) => Omit<Shown, 'tenant' | 'subject'>): MailboxAdminOptions['show'] =>
  async (db, rows) => {
    const ids = [...new Set(rows.map((row) => row['bot_id'] as number))];
    const emails = new Map((await people.anywhere(db, ids)).map(({ id, email }) => [id as number, email]));
    return rows.map((row) => ({
      tenant: realmTenant(row['realm_id'] as RealmId),
      subject: emails.get(row['bot_id'] as number) ?? String(row['bot_id']),
      ...show(row),
    }));
  };

/** Restricts rows to a bot by id, or to the bots of all organisations whose address is or looks like this one. */
const rowsOfBot = (rows: Knex.QueryBuilder, bot: string): Knex.QueryBuilder =>
  /^\d{1,15}$/.test(bot)
    ? rows.where('bot_id', Number(bot))
    : rows.whereIn(
        'bot_id',
        (bots) =>
          void bots
            .from('chat_users')
            .where(looksLike([bot]))
            .select('id'),
      );

export const callAdmin: MailboxAdminOptions = {
  name: 'outgoing-webhooks',
  about: 'messages for the programs of outgoing webhook bots; subject is the bot, kind what the message did',
  kind: 'cause',
  show: shownByBot((row) => ({
    kind: row['cause'] as string,
    reference: null,
    // The request body is built from the message when it is sent, so none is stored.
    payload: null,
    more: { message_id: row['message_id'], answer_id: row['answer_id'] },
  })),
  bySubject: rowsOfBot,
  isSubjectIndexed: true,
};

/** A delivery is identified by its integration and the service's own id for it. */
export const deliveryAdmin = (integrations: readonly string[]): MailboxAdminOptions => ({
  name: 'deliveries',
  about: 'deliveries of external services; subject is the bot, kind the integration',
  kind: 'integration',
  emptied: ['notice', 'notified_at'],
  show: shownByBot((row) => ({
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
  })),
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
