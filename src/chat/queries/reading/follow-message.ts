/** Follows a message to where it is now, as `with` in a narrow asks: links stay right when a topic is moved or renamed. */
import { ensure } from '../../../kernel/fault';
import type { Database } from '../../../kernel/mysql/pool';
import { badNarrow, type Operator, type Term } from '../../model/reading/narrow';
import type { Message } from '../../model/messages/message';
import type { User } from '../../model/users/user';
import * as messages from '../../store/messages/messages';
import { membersOf } from '../../store/messages/recipients';
import { readable } from '../messages/access-message';

const OF_CONVERSATIONS: ReadonlySet<Operator> = new Set(['stream', 'topic', 'pm-with']);

/** The terms without `with`. One of a message that the reader cannot see changes nothing. */
export async function followMessage(db: Database, by: User, terms: readonly Term[]): Promise<readonly Term[]> {
  const asked = terms.find(({ operator }) => operator === 'with');
  if (!asked) return terms;
  const id = Number(asked.operand);
  ensure(Number.isSafeInteger(id) && id > 0 && !asked.negated, badNarrow("Invalid 'with' operator"));
  const rest = terms.filter(({ operator }) => operator !== 'with');
  const [message] = await readable(db, by, await messages.byIds(db, by.realmId, [id]));
  if (!message) return rest;
  const others = rest.filter(({ operator, negated }) => negated || !OF_CONVERSATIONS.has(operator));
  return [...(await conversationOf(db, message)), ...others];
}

const term = (operator: Operator, operand: Term['operand']): Term => ({ operator, operand, negated: false });

async function conversationOf(db: Database, { recipientId, topicId, topic }: Message): Promise<Term[]> {
  if (topicId !== null) return [term('stream', recipientId), term('topic', topic)];
  return [term('pm-with', await membersOf(db, recipientId))];
}
