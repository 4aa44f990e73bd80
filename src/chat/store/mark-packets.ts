/**
 * The commit packets of marks: cursors, exceptions and the row that tells of it in one round trip, whatever they cover.
 * Each begins by locking the user: one reading of a user at a time.
 */
import { LOG_CARRIER } from '../../kernel/event-log/log-carrier';
import type { OutboxRow } from '../../kernel/mysql/outbox';
import type { Packet, PacketReply } from '../../kernel/mysql/packet';
import { allRead, READ_MARKS_CARRIER, readMark } from '../model/read-marks';
import { realmTenant } from '../model/realm';
import { HEAD, HOLD_TOPIC, LOCK, type Reader } from './read-marks';

const LOCK_USER = `SET @read = (${LOCK})`;
const OUTBOX = 'INSERT INTO kernel_outbox (carrier, tenant, number, body, created_at)';
/** The rows of the statement before, as they are to be carried. */
const WRITTEN =
  'SELECT id, carrier, tenant, number, body FROM kernel_outbox ' +
  'WHERE id >= LAST_INSERT_ID() AND id < LAST_INSERT_ID() + @written * @@auto_increment_increment ORDER BY id';

class PacketWriter implements Packet<void> {
  readonly statements: string[] = [];
  readonly bindings: unknown[] = [];

  add(sql: string, ...bindings: unknown[]): this {
    this.statements.push(sql);
    this.bindings.push(...bindings);
    return this;
  }

  /** The last thing it does. */
  tell(sql: string, ...bindings: unknown[]): this {
    return this.add(`${OUTBOX} ${sql}`, ...bindings)
      .add('SET @written = ROW_COUNT()')
      .add(WRITTEN);
  }

  read(replies: readonly PacketReply[]): { value: void; rows: readonly OutboxRow[] } {
    return { value: undefined, rows: replies.at(-1) as unknown as OutboxRow[] };
  }
}

interface Place {
  readonly recipientId: number;
  readonly topicId: number | null;
}

/** What is told of a mark, around what only the packet knows: from where to where, and which exceptions besides. */
const STRETCH = `CONCAT(?, @from, ',"to":', @head, ',"ids":[', COALESCE(@ids, ''), ?)`;

function aroundStretch({ id, realmId }: Reader, place: Place): [string, string] {
  const stretch = { ...place, from: 0, to: 0, ids: [] };
  const { body } = readMark({ realmId, userId: id, stretch, touched: [place] });
  const [before, after] = body.split('0,"to":0,"ids":[');
  return [before!, after!];
}

/** Nothing is told to who has never had part in the place. */
export function placePacket(by: Reader, recipientId: number): Packet<void> {
  const tenant = realmTenant(by.realmId);
  return new PacketWriter()
    .add(LOCK_USER, by.id)
    .add(HEAD, tenant)
    .add(
      'SET @from = (SELECT GREATEST(@read, read_id) FROM chat_subscriptions WHERE recipient_id = ? AND user_id = ?)',
      recipientId,
      by.id,
    )
    .add(
      'SET @ids = (SELECT GROUP_CONCAT(message_id) FROM chat_read_exceptions ' +
        'WHERE user_id = ? AND is_read = 0 AND recipient_id = ?)',
      by.id,
      recipientId,
    )
    .add(
      'UPDATE chat_subscriptions SET read_id = GREATEST(read_id, @head) WHERE recipient_id = ? AND user_id = ?',
      recipientId,
      by.id,
    )
    .add('DELETE FROM chat_read_exceptions WHERE user_id = ? AND is_read = 0 AND recipient_id = ?', by.id, recipientId)
    .tell(
      `SELECT ?, ?, NULL, ${STRETCH}, NOW(3) FROM DUAL WHERE @from IS NOT NULL`,
      READ_MARKS_CARRIER,
      tenant,
      ...aroundStretch(by, { recipientId, topicId: null }),
    );
}

const IN_TOPIC =
  'chat_read_exceptions e JOIN chat_messages m ON m.realm_id = ? AND m.id = e.message_id ' +
  'WHERE e.user_id = ? AND e.is_read = 0 AND e.recipient_id = ? AND m.topic_id = ?';

export function topicPacket(by: Reader, topic: { recipientId: number; topicId: number }): Packet<void> {
  const { recipientId, topicId } = topic;
  const tenant = realmTenant(by.realmId);
  const inTopic = [by.realmId, by.id, recipientId, topicId];
  return new PacketWriter()
    .add(LOCK_USER, by.id)
    .add(HOLD_TOPIC, topicId)
    .add(HEAD, tenant)
    .add(
      'SET @from = GREATEST(@read, ' +
        'COALESCE((SELECT read_id FROM chat_subscriptions WHERE recipient_id = ? AND user_id = ?), 0), ' +
        'COALESCE((SELECT read_id FROM chat_topic_reads WHERE user_id = ? AND topic_id = ?), 0))',
      recipientId,
      by.id,
      by.id,
      topicId,
    )
    .add(`SET @ids = (SELECT GROUP_CONCAT(e.message_id) FROM ${IN_TOPIC})`, ...inTopic)
    .add(
      'INSERT INTO chat_topic_reads (user_id, topic_id, recipient_id, read_id) VALUES (?, ?, ?, @head) ' +
        'ON DUPLICATE KEY UPDATE read_id = GREATEST(read_id, VALUES(read_id))',
      by.id,
      topicId,
      recipientId,
    )
    .add(`DELETE e FROM ${IN_TOPIC}`, ...inTopic)
    .tell(`VALUES (?, ?, NULL, ${STRETCH}, NOW(3))`, READ_MARKS_CARRIER, tenant, ...aroundStretch(by, topic));
}

export function everythingPacket(by: Reader): Packet<void> {
  const tenant = realmTenant(by.realmId);
  const mark = readMark({ realmId: by.realmId, userId: by.id });
  return new PacketWriter()
    .add(LOCK_USER, by.id)
    .add(HEAD, tenant)
    .add('UPDATE chat_users SET read_id = GREATEST(read_id, @head) WHERE id = ?', by.id)
    .add('DELETE FROM chat_read_exceptions WHERE user_id = ? AND is_read = 0', by.id)
    .add(
      'INSERT INTO kernel_counters (tenant, event_number) VALUES (?, LAST_INSERT_ID(1)) ' +
        'ON DUPLICATE KEY UPDATE event_number = LAST_INSERT_ID(event_number + 1)',
      tenant,
    )
    .add('SET @event = LAST_INSERT_ID()')
    .tell(
      'VALUES (?, ?, @event, ?, NOW(3)), (?, ?, NULL, ?, NOW(3))',
      LOG_CARRIER,
      tenant,
      allRead(by).body,
      mark.carrier,
      tenant,
      mark.body,
    );
}
