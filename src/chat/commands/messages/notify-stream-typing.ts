/** Publishes that a user has started or stopped typing in a topic, to the subscribers whose clients know of that. */
import { ensure } from '../../../kernel/fault';
import { entryOf } from '../../model/events/event';
import { realmTenant } from '../../model/organisation/realm';
import { checkMayPost } from '../../model/streams/stream-policy';
import type { User } from '../../model/users/user';
import { invalidTypingOp, typingDisabled } from '../../model/users/user-faults';
import type { Chat } from '../../parts';
import { accessStream } from '../../queries/streams/access-stream';
import * as subscriptions from '../../store/streams/subscriptions';
import * as people from '../../store/users/people';

type Parts = Pick<Chat, 'ephemera' | 'mysql' | 'presencePeople'>;

/** Zulip's limit: in a larger stream somebody always types. */
const MAX_SUBSCRIBERS = 100;

/** Read anew each time: nobody may learn of topics in a stream that they have left. */
export async function notifyStreamTyping(
  { mysql, ephemera, presencePeople }: Parts,
  by: User,
  op: string,
  where: { readonly streamId: number; readonly topic: string },
): Promise<void> {
  ensure(op === 'start' || op === 'stop', invalidTypingOp());
  const { silent } = await presencePeople.find(by.realmId);
  ensure(!silent.stream.has(by.id), typingDisabled('channel'));
  const { stream } = await accessStream(mysql, by, where.streamId);
  const subscribers = await subscriptions.subscribers(mysql, stream.id);
  const [owner] = by.botOwnerId === null ? [] : await people.byIds(mysql, by.realmId, [by.botOwnerId]);
  checkMayPost(by, owner, stream, new Set(subscribers));
  if (subscribers.length === 0 || subscribers.length > MAX_SUBSCRIBERS) return;
  const sender = { user_id: by.id, email: by.email };
  const event = { type: 'typing', op, message_type: 'stream', sender, stream_id: stream.id, topic: where.topic };
  await ephemera.push(realmTenant(by.realmId), entryOf(subscribers, event, { isForStreamTyping: true }));
}
