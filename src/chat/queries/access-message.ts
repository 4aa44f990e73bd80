/** A message that somebody may see, or the same refusal whether it is hidden from them or not there at all. */
import type { Fault } from '../../kernel/fault';
import type { Kernel } from '../../kernel/kernel';
import type { Database } from '../../kernel/mysql/pool';
import { badRequest } from '../model/faults';
import type { Message } from '../model/message';
import { hasReceived, mayReadHistory } from '../model/read-state';
import type { User } from '../model/user';
import * as messages from '../store/messages';
import * as readState from '../store/read-state';
import * as streams from '../store/streams';

export const invalidMessages = (): Fault => badRequest('Invalid message(s)');

export const accessMessage = (kernel: Kernel, by: User, id: number): Promise<Message> =>
  accessMessageIn(kernel.mysql, by, id);

/** The database may be a transaction's: then what is seen is what it locked. */
export async function accessMessageIn(db: Database, by: User, id: number): Promise<Message> {
  const [message] = await messages.byIds(db, by.realmId, [id]);
  if (!message || !(await maySeeMessage(db, by, message))) throw invalidMessages();
  return message;
}

async function maySeeMessage(db: Database, by: User, message: Message): Promise<boolean> {
  const { recipientId, topicId } = message;
  const state = await readState.load(db, by.id, [recipientId]);
  if (hasReceived(state, message)) return true;
  if (topicId === null) return false;
  const stream = await streams.byId(db, by.realmId, recipientId);
  const isSubscribed = state.places.get(recipientId)?.isSubscribed ?? false;
  return stream !== undefined && mayReadHistory(by.role === 'guest', stream, isSubscribed);
}
