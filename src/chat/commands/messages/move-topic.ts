/** Moves a message to another topic, and if requested the related messages with it. */
import type { Clock } from '../../../kernel/clock';
import { ensure } from '../../../kernel/fault';
import type { Tx } from '../../../kernel/mysql/transaction';
import { type ChatEvent, eventDelivery } from '../../model/events/event';
import type { Message } from '../../model/messages/message';
import { MAX_MOVED, tooManyToMove } from '../../model/messages/move-policy';
import { MAX_IDS_AT_ONCE } from '../../model/reading/read-marks';
import { type Change, type PropagateMode, topicPartOf } from '../../model/messages/revision';
import type { User } from '../../model/users/user';
import * as audience from '../../store/messages/message-audience';
import * as messages from '../../store/messages/messages';
import * as topics from '../../store/messages/topics';

/** Zulip looks back this far. */
const WEEK_SECONDS = 7 * 86_400;

/** Returns the ids of all moved messages, the message itself first. */
export async function moveTopic(
  tx: Tx,
  clock: Clock,
  message: Message,
  { mode, isWhole, ...to }: topics.Destination & { readonly mode: PropagateMode; readonly isWhole: boolean },
): Promise<number[]> {
  const now = isWhole ? undefined : clock.now();
  const ids = [message.id, ...(await findOthers(tx, message, mode, now))];
  ensure(!isWhole || ids.length <= MAX_MOVED, tooManyToMove());
  await topics.move(tx.db, message, ids, to);
  return ids;
}

/** Without a time, also the older ones, and those of another spelling: so do Zulip's servers since 3.0. */
async function findOthers(tx: Tx, message: Message, mode: PropagateMode, now: Date | undefined): Promise<number[]> {
  const anySpelling = now === undefined;
  const most = now === undefined ? MAX_MOVED : Infinity;
  switch (mode) {
    case 'change_one':
      return [];
    case 'change_later':
      return topics.lockOthers(tx.db, message, { afterId: message.id, since: 0, anySpelling, most });
    case 'change_all':
      return topics.lockOthers(tx.db, message, {
        afterId: 0,
        since: now === undefined ? 0 : Math.floor(now.getTime() / 1000) - WEEK_SECONDS,
        anySpelling,
        most,
      });
  }
}

/**
 * Publishes a move to users who received only other messages that moved, not the edited one. For streams with protected
 * history: the event must not reveal messages from before the user subscribed.
 */
export async function publishToLatecomers(
  tx: Tx,
  by: User,
  event: ChatEvent,
  { before, messageIds }: Pick<Change, 'before' | 'messageIds'>,
): Promise<void> {
  if (messageIds.length === 1) return;
  for (const [fromId, userIds] of await audience.latecomers(tx.db, before)) {
    const received = messageIds.filter((id) => id >= fromId).sort((a, b) => a - b);
    for (const ids of inParts(received)) {
      const [first] = await messages.byIds(tx.db, by.realmId, ids.slice(0, 1));
      if (!first) continue;
      for (const [flags, to] of await audience.byFlags(tx.db, first, new Set(userIds))) {
        tx.deliver(eventDelivery(by.realmId, to, topicPartOf(event, ids, flags)));
      }
    }
  }
}

/** Keeps each event of a move small. */
export function inParts(ids: readonly number[]): (readonly number[])[] {
  const parts: (readonly number[])[] = [];
  for (let start = 0; start < ids.length; start += MAX_IDS_AT_ONCE)
    parts.push(ids.slice(start, start + MAX_IDS_AT_ONCE));
  return parts;
}
