/** Filters messages to those that a user has received and not read. */
import type { Database } from '../../../kernel/mysql/pool';
import { isUnread, type MessageRef } from '../../model/reading/read-state';
import type { UserId } from '../../model/users/user';
import * as readState from '../../store/reading/read-state';

export async function unreadAmong<T extends MessageRef>(
  db: Database,
  userId: UserId,
  messages: readonly T[],
): Promise<T[]> {
  if (messages.length === 0) return [];
  const places = [...new Set(messages.map(({ recipientId }) => recipientId))];
  const state = await readState.load(db, userId, places);
  const marks = await readState.marksOf(db, userId, messages);
  return messages.filter((message) => isUnread(state, message, marks));
}
