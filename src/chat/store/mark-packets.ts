/**
 * The commit packets of marks: cursors, exceptions and the row that tells of it in one round trip, whatever they cover.
 * Each begins by locking the user: one reading of a user at a time. A SET works from left to right, so the lock stands
 * first in it; but what it sets can be used only by the statements after it.
 */
import type { OutboxRow } from '../../kernel/mysql/outbox';
import type { Packet } from '../../kernel/mysql/packet';
import { allRead, READ_MARKS_CARRIER, readMark } from '../model/read-marks';
import { realmTenant } from '../model/realm';
import { HEAD_NUMBER, HOLD_TOPIC, LOCK, type Reader } from './read-marks';

const BEGIN = `SET @read = (${LOCK}), @head = (${HEAD_NUMBER})`;
const OUTBOX = 'INSERT INTO kernel_outbox (carrier, tenant, number, body, created_at)';

interface Place {
  readonly recipientId: number;
  readonly topicId: number | null;
}

/** What only the packet knows of a mark: from where to where, and which exceptions besides. */
interface Stretch {
  readonly begin: number | null;
  readonly head: number;
  readonly ids: string | null;
}

/** The texts around it in what is told. */
function aroundStretch({ id, realmId }: Reader, place: Place): [string, string] {
  const stretch = { ...place, from: 0, to: 0, ids: [] };
  const { body } = readMark({ realmId, userId: id, stretch, touched: [place] });
  const [before, after] = body.split('0,"to":0,"ids":[');
  return [before!, after!];
}

const STRETCH = `CONCAT(?, @begin, ',"to":', @head, ',"ids":[', COALESCE(@ids, ''), ?)`;
const textOf = ([before, after]: [string, string], { begin, head, ids }: Stretch): string =>
  `${before}${begin},"to":${head},"ids":[${ids ?? ''}${after}`;

/** A packet that ends by telling of one stretch; of none to who has never had part in the place. */
function stretchPacket(
  by: Reader,
  place: Place,
  statements: readonly (readonly [string, ...unknown[]])[],
): Packet<void> {
  const tenant = realmTenant(by.realmId);
  const around = aroundStretch(by, place);
  const tell = `${OUTBOX} SELECT ?, ?, NULL, ${STRETCH}, NOW(3) FROM DUAL WHERE @begin IS NOT NULL`;
  return {
    statements: [...statements.map(([sql]) => sql), tell, 'SELECT @begin AS begin, @head AS head, @ids AS ids'],
    bindings: [...statements.flatMap(([, ...bindings]) => bindings), READ_MARKS_CARRIER, tenant, ...around],
    read(replies) {
      const { insertId: id } = replies.at(-2) as { insertId: number };
      const [stretch] = replies.at(-1) as unknown as [Stretch];
      const row: OutboxRow = { id, carrier: READ_MARKS_CARRIER, tenant, number: null, body: textOf(around, stretch) };
      return { value: undefined, rows: stretch.begin === null ? [] : [row] };
    },
  };
}

export function placePacket(by: Reader, recipientId: number): Packet<void> {
  const exceptions = 'chat_read_exceptions WHERE user_id = ? AND is_read = 0 AND recipient_id = ?';
  return stretchPacket(by, { recipientId, topicId: null }, [
    [
      `${BEGIN}, @begin = NULL, @ids = (SELECT GROUP_CONCAT(message_id) FROM ${exceptions})`,
      by.id,
      realmTenant(by.realmId),
      by.id,
      recipientId,
    ],
    [
      'UPDATE chat_subscriptions SET read_id = GREATEST(@begin := GREATEST(@read, read_id), read_id, @head) ' +
        'WHERE recipient_id = ? AND user_id = ?',
      recipientId,
      by.id,
    ],
    [`DELETE FROM ${exceptions}`, by.id, recipientId],
  ]);
}

const IN_TOPIC =
  'chat_read_exceptions WHERE user_id = ? AND is_read = 0 AND recipient_id = ? ' +
  'AND (SELECT m.topic_id FROM chat_messages m WHERE m.realm_id = ? AND m.id = message_id) = ?';

export function topicPacket(by: Reader, topic: { recipientId: number; topicId: number }): Packet<void> {
  const { recipientId, topicId } = topic;
  const inTopic = [by.id, recipientId, by.realmId, topicId];
  return stretchPacket(by, topic, [
    [
      `SET @read = (${LOCK}), @topic = (${HOLD_TOPIC}), @head = (${HEAD_NUMBER}), ` +
        '@begin = GREATEST((SELECT read_id FROM chat_users WHERE id = ?), ' +
        'COALESCE((SELECT read_id FROM chat_subscriptions WHERE recipient_id = ? AND user_id = ?), 0), ' +
        'COALESCE((SELECT read_id FROM chat_topic_reads WHERE user_id = ? AND topic_id = ?), 0)), ' +
        `@ids = (SELECT GROUP_CONCAT(message_id) FROM ${IN_TOPIC})`,
      by.id,
      topicId,
      realmTenant(by.realmId),
      by.id,
      recipientId,
      by.id,
      by.id,
      topicId,
      ...inTopic,
    ],
    [
      'INSERT INTO chat_topic_reads (user_id, topic_id, recipient_id, read_id) VALUES (?, ?, ?, @head) ' +
        'ON DUPLICATE KEY UPDATE read_id = GREATEST(read_id, VALUES(read_id))',
      by.id,
      topicId,
      recipientId,
    ],
    [`DELETE FROM ${IN_TOPIC}`, ...inTopic],
  ]);
}

export function everythingPacket(by: Reader): Packet<void> {
  const tenant = realmTenant(by.realmId);
  const told = [allRead(by), readMark({ realmId: by.realmId, userId: by.id })] as const;
  return {
    statements: [
      BEGIN,
      'UPDATE chat_users SET read_id = GREATEST(read_id, @head) WHERE id = ?',
      'DELETE FROM chat_read_exceptions WHERE user_id = ? AND is_read = 0',
      'INSERT INTO kernel_counters (tenant, event_number) VALUES (?, @event := 1) ' +
        'ON DUPLICATE KEY UPDATE event_number = (@event := event_number + 1)',
      `${OUTBOX} VALUES (?, ?, @event, ?, NOW(3)), (?, ?, NULL, ?, NOW(3))`,
      'SELECT @event AS event, @@auto_increment_increment AS step',
    ],
    bindings: [by.id, tenant, by.id, by.id, tenant, ...told.flatMap(({ carrier, body }) => [carrier, tenant, body])],
    read(replies) {
      const { insertId } = replies.at(-2) as { insertId: number };
      const [{ event, step }] = replies.at(-1) as unknown as [{ event: number; step: number }];
      const [events, mark] = told;
      const rows = [
        { ...events, id: insertId, number: event },
        { ...mark, id: insertId + step, number: null },
      ];
      return { value: undefined, rows };
    },
  };
}
