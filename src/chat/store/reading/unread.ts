/** Extra data for the list of unread messages: marks by range, and names. */
import { known, mapRead, readOf, together, type Read } from '../../../kernel/mysql/read-packet';
import { MENTIONS } from '../../model/messages/message';
import { ENDLESS, type MessageRef, type Interval, type Marks } from '../../model/reading/read-state';
import type { UserId } from '../../model/users/user';
import { membersRead } from './received-messages';

interface MarksBetween {
  readonly marks: Marks;
  readonly mentioned: readonly number[];
}

export function marksBetweenRead(userId: UserId, { from, to }: Interval): Read<MarksBetween> {
  const all = together({
    isRead: readOf(
      'SELECT message_id, is_read FROM chat_read_exceptions WHERE user_id = ? AND message_id BETWEEN ? AND ?',
      [userId, from, to],
      (rows: readonly { message_id: number; is_read: number }[]) =>
        new Map(rows.map((row) => [row.message_id, row.is_read === 1])),
    ),
    topicReadIds: readOf(
      'SELECT topic_id, read_id FROM chat_topic_reads WHERE user_id = ? AND read_id >= ?',
      [userId, from],
      (rows: readonly { topic_id: number; read_id: number }[]) =>
        new Map(rows.map((row) => [row.topic_id, row.read_id])),
    ),
    mentioned: readOf(
      'SELECT message_id FROM chat_flags WHERE user_id = ? AND flag IN (?) AND message_id BETWEEN ? AND ?',
      [userId, MENTIONS, from, to],
      (rows: readonly { message_id: number }[]) => rows.map(({ message_id: id }) => id),
    ),
  });
  return mapRead(all, ({ mentioned, ...marks }) => ({ marks: { ...marks, flags: new Map() }, mentioned }));
}

/** The oldest message that was marked as unread again. */
export const lowestExceptionRead = (userId: UserId): Read<number> =>
  readOf(
    'SELECT MIN(message_id) AS id FROM chat_read_exceptions WHERE user_id = ? AND is_read = 0',
    [userId],
    ([row]: readonly { id: number | null }[]) => row?.id ?? ENDLESS,
  );

interface Names {
  readonly topicNames: ReadonlyMap<number, string>;
  /** Members of private conversations, in order. */
  readonly members: ReadonlyMap<number, readonly number[]>;
}

export function namesRead(refs: readonly MessageRef[]): Read<Names> {
  const topicIds = [...new Set(refs.flatMap(({ topicId }) => topicId ?? []))];
  const conversations = refs.filter(({ topicId }) => topicId === null).map(({ recipientId }) => recipientId);
  return together({
    topicNames:
      topicIds.length === 0
        ? known(new Map<number, string>())
        : readOf(
            'SELECT id, name FROM chat_topics WHERE id IN (?)',
            [topicIds],
            (rows: readonly { id: number; name: string }[]) => new Map(rows.map(({ id, name }) => [id, name])),
          ),
    members: conversations.length === 0 ? known(new Map<number, number[]>()) : membersRead([...new Set(conversations)]),
  });
}
