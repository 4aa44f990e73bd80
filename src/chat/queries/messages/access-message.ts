/** Returns a message that the user may see. The error is the same whether it is hidden or does not exist. */
import type { Fault } from '../../../kernel/fault';
import type { Database } from '../../../kernel/mysql/pool';
import { badRequest } from '../../model/faults';
import type { Message } from '../../model/messages/message';
import { hasReceived, mayReadHistory } from '../../model/reading/read-state';
import type { User } from '../../model/users/user';
import * as messages from '../../store/messages/messages';
import * as readState from '../../store/reading/read-state';
import * as streams from '../../store/streams/streams';

export const invalidMessages = (): Fault => badRequest('Invalid message(s)');

export const accessMessage = (db: Database, by: User, id: number): Promise<Message> => accessMessageIn(db, by, id);

/** With a transaction's database, this sees the rows that the transaction locked. */
export async function accessMessageIn(db: Database, by: User, id: number): Promise<Message> {
  const [message] = await messages.byIds(db, by.realmId, [id]);
  if (!message || (await readable(db, by, [message])).length === 0) throw invalidMessages();
  return message;
}

type Placed = Pick<Message, 'recipientId' | 'topicId'> & { readonly id: number };

/** Filters messages to those that the user may see. */
export async function readable<M extends Placed>(db: Database, by: User, found: readonly M[]): Promise<M[]> {
  if (found.length === 0) return [];
  const state = await readState.load(db, by.id, [...new Set(found.map(({ recipientId }) => recipientId))]);
  const others = found.filter((message) => message.topicId !== null && !hasReceived(state, message));
  const known = await streams.byIds(db, by.realmId, [...new Set(others.map(({ recipientId }) => recipientId))]);
  const open = new Set(
    known
      .filter((stream) =>
        mayReadHistory(by.role === 'guest', stream, state.places.get(stream.id)?.isSubscribed ?? false),
      )
      .map(({ id }) => Number(id)),
  );
  return found.filter(
    (message) => hasReceived(state, message) || (message.topicId !== null && open.has(message.recipientId)),
  );
}

/** Returns a message's Markdown source, for editing or quoting. */
export async function getRawMessage(db: Database, by: User, id: number): Promise<{ raw_content: string }> {
  return { raw_content: (await accessMessage(db, by, id)).content };
}
