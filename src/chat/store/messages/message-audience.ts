/** Who gets events about a change to a message, and each user's flags on it. */
import type { Knex } from 'knex';
import { FLAG_NAMES, FLAGS, TRAITS, type FlagName, type Message } from '../../model/messages/message';
import type { UserId } from '../../model/users/user';
import { grouped, insertMissing } from '../rows';

export interface HeldStream {
  readonly name: string;
  /** Whether users who subscribe later see earlier messages. */
  readonly isHistoryPublic: boolean;
}

/** Keeps a stream's audience unchanged until the end of the transaction. */
export async function holdStream(db: Knex, streamId: number): Promise<HeldStream> {
  const row = (await db('chat_streams')
    .where({ id: streamId })
    .forShare()
    .first('name', 'is_private', 'is_history_public')) as {
    name: string;
    is_private: number;
    is_history_public: number;
  };
  return { name: row.name, isHistoryPublic: row.is_private === 0 || row.is_history_public === 1 };
}

/** Current subscribers who joined after the message, by the first message they received. */
export async function latecomers(db: Knex, { recipientId, id }: Message): Promise<Map<number, UserId[]>> {
  const rows = (await db('chat_subscriptions')
    .where({ recipient_id: recipientId, is_active: true })
    .where('from_id', '>', id)
    .select('user_id', 'from_id')) as { user_id: UserId; from_id: number }[];
  return grouped(rows.map((row) => [row.from_id, row.user_id]));
}

/** The users who received it, grouped by their flags in the wire format. */
export async function byFlags(
  db: Knex,
  message: Message,
  received: ReadonlySet<UserId>,
): Promise<Map<string, UserId[]>> {
  const { recipientId, topicId, id, senderId, traits } = message;
  const [rows] = (await db.raw(
    'SELECT s.user_id, e.is_read, ? <= GREATEST(u.read_id, s.read_id, COALESCE(t.read_id, 0)) AS is_covered ' +
      'FROM chat_subscriptions s JOIN chat_users u ON u.id = s.user_id ' +
      'LEFT JOIN chat_topic_reads t ON t.user_id = s.user_id AND t.topic_id = ? ' +
      'LEFT JOIN chat_read_exceptions e ON e.user_id = s.user_id AND e.message_id = ? WHERE s.recipient_id = ?',
    [id, topicId ?? 0, id, recipientId],
  )) as [{ user_id: UserId; is_read: number | null; is_covered: number }[]];
  const set = grouped((await flagRows(db, message)).map(({ userId, flag }) => [userId, flag]));
  const always: FlagName[] = (traits & TRAITS.wildcard) === 0 ? [] : ['wildcard_mentioned'];
  const senderReads = (traits & TRAITS.senderRead) !== 0;
  const flagsOf = ({ user_id: userId, is_read: isRead, is_covered: isCovered }: (typeof rows)[number]) => {
    const own = new Set([...always, ...(set.get(userId) ?? [])]);
    const reads = isRead === null ? isCovered === 1 || (senderReads && userId === senderId) : isRead === 1;
    return [...(reads ? ['read'] : []), ...FLAG_NAMES.filter((name) => own.has(name))].join();
  };
  const reached = rows.filter((row) => received.has(row.user_id));
  return grouped(reached.map((row) => [flagsOf(row), row.user_id]));
}

interface UserFlag {
  readonly userId: UserId;
  readonly flag: FlagName;
}

/** Message ids are unique only within an organisation, so its users select the right rows. */
async function flagRows(db: Knex, { realmId, id }: Message): Promise<UserFlag[]> {
  const rows = (await db('chat_flags')
    .join('chat_users', 'chat_users.id', 'chat_flags.user_id')
    .where({ message_id: id, realm_id: realmId })
    .select('user_id', 'flag')) as { user_id: UserId; flag: number }[];
  return rows.flatMap(({ user_id: userId, flag }) => {
    const name = FLAG_NAMES.find((each) => FLAGS[each] === flag);
    return name ? [{ userId, flag: name }] : [];
  });
}

/** Flags that derive from a message's content, as opposed to those that readers set. */
const FROM_WORDS: ReadonlySet<FlagName> = new Set<FlagName>(['mentioned', 'wildcard_mentioned', 'has_alert_word']);

/** Replaces these flags after a change of content. Returns who was mentioned before. */
export async function replaceFlags(db: Knex, message: Message, flags: readonly UserFlag[]): Promise<UserId[]> {
  const before = (await flagRows(db, message)).filter(({ flag }) => FROM_WORDS.has(flag));
  const same = (a: UserFlag, b: UserFlag) => a.userId === b.userId && a.flag === b.flag;
  for (const gone of before.filter((each) => !flags.some((other) => same(each, other)))) {
    await db('chat_flags').where({ user_id: gone.userId, flag: FLAGS[gone.flag], message_id: message.id }).delete();
  }
  const rows = flags
    .filter((each) => !before.some((other) => same(each, other)))
    .map(({ userId, flag }) => ({ user_id: userId, flag: FLAGS[flag], message_id: message.id }));
  await insertMissing(db, 'chat_flags', rows);
  return before.filter(({ flag }) => flag === 'mentioned').map(({ userId }) => userId);
}
