/**
 * Commit packets of read marks: cursors, exceptions and the mail that settles them, in one round trip whatever the
 * range. Each packet starts by locking the user, so that changes of one user's read state are serialised. SET evaluates
 * from left to right, so the lock comes first. Later statements, but not the SET itself, can use its variables.
 */
import { INTO_MAIL } from '../../../kernel/mailbox/kernel-mail';
import type { Packet } from '../../../kernel/mysql/packet';
import { realmTenant } from '../../model/organisation/realm';
import { allRead, READ_MARKS, type ReadMark } from '../../model/reading/read-marks';
import { maySee } from '../../model/streams/stream-policy';
import type { User } from '../../model/users/user';
import { HEAD_NUMBER, HOLD_TOPIC, LOCK, type Reader } from './read-marks';

const MAIL = `INSERT INTO ${INTO_MAIL}`;
const IS_NEW = "'pending', NOW(3), NOW(3)";
const addressOf = ({ id, realmId }: Reader) => [READ_MARKS, realmTenant(realmId), String(id)];
const BEGIN = `SET @read = (${LOCK}), @head = (${HEAD_NUMBER})`;

/** The reader who marks, with the role that decides what they can see. */
type Marker = Reader & Pick<User, 'role'>;

/**
 * The stream, if the reader may see it. The last two bindings say whether their role may see a private and a public
 * stream without a subscription.
 */
const SEEN =
  'SELECT s.id FROM chat_streams s LEFT JOIN chat_subscriptions x ON x.recipient_id = s.id AND x.user_id = ? ' +
  'WHERE s.id = ? AND s.realm_id = ? AND s.is_active AND (x.is_active OR IF(s.is_private, ?, ?))';
function seenValues(by: Marker, streamId: number): unknown[] {
  const unsubscribed = (isPrivate: boolean) => maySee(by, { isPrivate }, false);
  return [by.id, streamId, by.realmId, unsubscribed(true), unsubscribed(false)];
}

/** What a mark applied to. Null means not found or not visible; topic 0 means a whole stream. */
export interface Found {
  readonly stream: number | null;
  readonly topic: number | null;
}

interface Reply extends Found {
  readonly begin: number | null;
}

/** Placeholder for a topic id that only the packet knows. No topic has this id. */
const SOME_TOPIC = -1;
const TOPIC_KEY = '"topicId":';

/** The JSON before and after a range in its mail. */
function aroundRange({ id, realmId }: Reader, recipientId: number, topicId: number | null): [string, string] {
  const place = { recipientId, topicId };
  const range = { ...place, from: 0, to: 0, ids: [] };
  const mark: ReadMark = { realmId, userId: id, range, touched: [place] };
  const [before, after] = JSON.stringify(mark).split('0,"to":0,"ids":[');
  return [before!, after!];
}

const STRETCH =
  `REPLACE(CONCAT(?, @begin, ',"to":', @head, ',"ids":[', COALESCE(@ids, ''), ?), ` +
  `'${TOPIC_KEY}${SOME_TOPIC}', CONCAT('${TOPIC_KEY}', @held))`;

type Statements = readonly (readonly [sql: string, ...values: unknown[]])[];

/** A packet that ends by posting mail for one range, or none if there was nothing to mark. */
function rangePacket(by: Reader, around: [string, string], statements: Statements): Packet<Found> {
  const mail = `${MAIL} SELECT ?, ?, ?, ${STRETCH}, ${IS_NEW} FROM DUAL WHERE @begin IS NOT NULL AND @held IS NOT NULL`;
  const found = 'SELECT @stream AS stream, @held AS topic, @begin AS begin';
  return {
    statements: [...statements.map(([sql]) => sql), mail, found],
    bindings: [...statements.flatMap(([, ...bindings]) => bindings), ...addressOf(by), ...around],
    read(replies) {
      const [{ stream, topic, begin }] = replies.at(-1) as unknown as [Reply];
      return { value: { stream, topic: begin === null ? null : topic }, rows: [] };
    },
  };
}

/** @begin stays NULL for a reader who never subscribed to the stream: then there is nothing to publish. */
export function streamPacket(by: Marker, streamId: number): Packet<Found> {
  const exceptions = 'chat_read_exceptions WHERE user_id = ? AND is_read = 0 AND recipient_id = ?';
  return rangePacket(by, aroundRange(by, streamId, null), [
    [
      `${BEGIN}, @stream = (${SEEN}), @held = 0, @begin = NULL, ` +
        `@ids = (SELECT GROUP_CONCAT(message_id) FROM ${exceptions})`,
      by.id,
      realmTenant(by.realmId),
      ...seenValues(by, streamId),
      by.id,
      streamId,
    ],
    [
      'UPDATE chat_subscriptions SET read_id = GREATEST(@begin := GREATEST(@read, read_id), read_id, @head) ' +
        'WHERE recipient_id = @stream AND user_id = ?',
      by.id,
    ],
    [`DELETE FROM ${exceptions} AND @stream IS NOT NULL`, by.id, streamId],
  ]);
}

/** The reader's position in @topic, if @stream is visible and the appended condition holds. */
const BEGIN_OF_TOPIC =
  'SELECT GREATEST(u.read_id, COALESCE(x.read_id, 0), COALESCE(t.read_id, 0)) FROM chat_users u ' +
  'LEFT JOIN chat_subscriptions x ON x.recipient_id = @stream AND x.user_id = u.id ' +
  'LEFT JOIN chat_topic_reads t ON t.user_id = u.id AND t.topic_id = @topic WHERE u.id = ? AND';

/** Forced, because the optimizer prefers the primary key and hopes for an early hit. */
const IN_TOPIC =
  'FROM chat_messages m FORCE INDEX (chat_messages_realm_id_topic_id_id_index) ' +
  'WHERE m.realm_id = ? AND m.topic_id = @topic';
const RECEIVED_NOW = `x.is_active AND (SELECT MAX(m.id) ${IN_TOPIC}) >= x.from_id`;
const RECEIVED_BEFORE =
  'EXISTS (SELECT 1 FROM chat_receptions r WHERE r.user_id = u.id AND r.recipient_id = @stream ' +
  `AND EXISTS (SELECT 1 ${IN_TOPIC} AND m.id BETWEEN r.from_id AND r.to_id))`;

const EXCEPTIONS = 'chat_read_exceptions e WHERE e.user_id = ? AND e.is_read = 0 AND e.recipient_id = @stream';
const IDS_IN_TOPIC =
  `SELECT GROUP_CONCAT(e.message_id) FROM ${EXCEPTIONS} ` +
  'AND (SELECT m.topic_id FROM chat_messages m WHERE m.realm_id = ? AND m.id = e.message_id) = @topic';

/**
 * Usually the reader is subscribed and has marked nothing in the stream as unread again. The packet for this case costs
 * half as much, and finds nothing if the case does not apply. The other packet handles all cases.
 */
export function topicPacket(
  by: Marker,
  streamId: number,
  { name, isUsual }: { readonly name: string; readonly isUsual: boolean },
): Packet<Found> {
  // Under another name: a statement that reads a variable it also sets would scan every row.
  const hold = `SET @held = (${HOLD_TOPIC.replace('?', '@topic')}), @begin = (${BEGIN_OF_TOPIC}`;
  const before: Statements = [
    [
      `${BEGIN}, @stream = (${SEEN}), ` +
        '@topic = (SELECT id FROM chat_topics WHERE recipient_id = ? AND name_key = LOWER(?))',
      by.id,
      realmTenant(by.realmId),
      ...seenValues(by, streamId),
      streamId,
      name,
    ],
    isUsual
      ? [`${hold} ${RECEIVED_NOW} AND NOT EXISTS (SELECT 1 FROM ${EXCEPTIONS})), @ids = NULL`, by.id, by.realmId, by.id]
      : [
          `${hold} (${RECEIVED_NOW} OR ${RECEIVED_BEFORE})), @ids = (${IDS_IN_TOPIC})`,
          by.id,
          by.realmId,
          by.realmId,
          by.id,
          by.realmId,
        ],
    [
      'INSERT INTO chat_topic_reads (user_id, topic_id, recipient_id, read_id) ' +
        'SELECT ?, @held, @stream, @head FROM DUAL WHERE @begin IS NOT NULL AND @held IS NOT NULL ' +
        'ON DUPLICATE KEY UPDATE read_id = GREATEST(read_id, VALUES(read_id))',
      by.id,
    ],
  ];
  const remove = `DELETE e FROM ${EXCEPTIONS} AND @begin IS NOT NULL AND FIND_IN_SET(e.message_id, @ids)`;
  return rangePacket(by, aroundRange(by, streamId, SOME_TOPIC), isUsual ? before : [...before, [remove, by.id]]);
}

export function everythingPacket(by: Reader): Packet<void> {
  const tenant = realmTenant(by.realmId);
  const events = allRead(by);
  const mark: ReadMark = { realmId: by.realmId, userId: by.id };
  const mail = [...addressOf(by), JSON.stringify(mark)];
  return {
    statements: [
      `SET @read = (${LOCK})`,
      'DELETE FROM chat_read_exceptions WHERE user_id = ? AND is_read = 0',
      `${MAIL} VALUES (?, ?, ?, ?, ${IS_NEW})`,
      // Nobody can send from here to the commit, so a message is covered by the cursor or comes after the event. To read
      // the counter first would take a shared lock on it, and two users who mark at once would wait for each other.
      'INSERT INTO kernel_counters (tenant, event_number) VALUES (?, @event := 1) ' +
        'ON DUPLICATE KEY UPDATE event_number = (@event := event_number + 1)',
      `SET @head = (${HEAD_NUMBER})`,
      'UPDATE chat_users SET read_id = GREATEST(read_id, @head) WHERE id = ?',
      'INSERT INTO kernel_outbox (publisher, tenant, number, body, created_at) VALUES (?, ?, @event, ?, NOW(3))',
      'SELECT @event AS event',
    ],
    bindings: [by.id, by.id, ...mail, tenant, tenant, by.id, events.publisher, tenant, events.body],
    read(replies) {
      const { insertId: id } = replies.at(-2) as { insertId: number };
      const [{ event }] = replies.at(-1) as unknown as [{ event: number }];
      return { value: undefined, rows: [{ ...events, id, number: event }] };
    },
  };
}
