/** What the operands of a narrow name: streams, people and conversations. */
import { exactEmail } from '../../../kernel/secrets/email-key';
import { badNarrow, type Operand } from '../../model/reading/narrow';
import type { Stream } from '../../model/streams/stream';
import type { User } from '../../model/users/user';
import type * as names from '../../store/reading/narrow-names';

export const nameOf = (operand: Operand): string | number =>
  typeof operand === 'number' ? operand : String(operand).trim();

/** Normalised for comparison, without duplicates. */
export function membersOf(operand: Operand): names.PeopleNames {
  if (typeof operand === 'object') return [...new Set(operand)];
  return [...new Set(String(operand).split(',').map(exactEmail))];
}

/** A private stream that the reader may not see is reported as unknown. */
export const streamOf =
  (by: User) =>
  (found: unknown, operand: Operand): Stream => {
    const named = found as names.NamedStream | undefined;
    const mayKnow = named && (by.role === 'admin' || (!named.stream.isPrivate && by.role !== 'guest'));
    if (!named || !(mayKnow || named.isTheirs)) throw badNarrow(`unknown stream ${String(operand)}`);
    return named.stream;
  };

export function userOf([user]: readonly User[], operand: Operand): User {
  if (!user) throw badNarrow(`unknown user ${String(operand)}`);
  return user;
}

/** Empty if these users have no conversation yet. */
export function conversationOf(found: unknown, operand: Operand): readonly number[] {
  const { people, ids } = found as names.NamedConversation;
  if (people.length < membersOf(operand).length) throw badNarrow(`unknown user in ${String(operand)}`);
  return ids;
}

/** The conversations with a person. */
export function sharedOf(found: unknown, operand: Operand): readonly number[] {
  const { people, ids } = found as names.NamedConversation;
  userOf(people, operand);
  return ids;
}
