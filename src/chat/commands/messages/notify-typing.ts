/** Publishes that a user has started or stopped typing in a private conversation. */
import { isSameEmail } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import { entryOf } from '../../model/events/event';
import { badRequest } from '../../model/faults';
import type { Addressees } from '../../model/messages/addressees';
import { realmTenant } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import { invalidTypingOp, missingTypingRecipient, typingDisabled } from '../../model/users/user-faults';
import type { Chat } from '../../parts';
import * as people from '../../store/users/people';

type Parts = Pick<Chat, 'callers' | 'ephemera' | 'mysql' | 'presencePeople'>;

export async function notifyTyping(parts: Parts, by: User, op: string, to: Addressees): Promise<void> {
  ensure(to.length > 0, missingTypingRecipient());
  ensure(op === 'start' || op === 'stop', invalidTypingOp());
  const { silent } = await parts.presencePeople.find(by.realmId);
  ensure(!silent.private.has(by.id), typingDisabled('direct'));
  const named = await findPeople(parts, by, to);
  const everybody = [...new Map([by, ...named].map((user) => [user.id, user])).values()].sort((a, b) => a.id - b.id);
  const brief = ({ id, email }: User) => ({ user_id: id, email });
  const event = { type: 'typing', op, sender: brief(by), recipients: everybody.map(brief) };
  const ids = everybody.map(({ id }) => id);
  await parts.ephemera.push(realmTenant(by.realmId), entryOf(ids, event));
}

/** Clients report every few seconds whom they write to, so these are cached as callers are. */
async function findPeople({ mysql, callers }: Parts, { realmId }: User, to: Addressees): Promise<User[]> {
  // No key of a caller contains a space.
  const keyOf = (one: number | string) => `person ${realmId} ${one}`;
  const missing = to.filter((one) => callers.get(keyOf(one)) === undefined);
  let reading: Promise<User[]> | undefined;
  const read = () =>
    (reading ??=
      typeof to[0] === 'number'
        ? people.byIds(mysql, realmId, missing as readonly number[])
        : people.byEmails(mysql, realmId, missing as readonly string[]));
  return Promise.all(
    to.map(async (one) => callers.get(keyOf(one)) ?? callers.find(keyOf(one), async () => chosen(await read(), one))),
  );
}

function chosen(found: readonly User[], one: number | string): User {
  const user = found.find(({ id, email }) => (typeof one === 'number' ? id === one : isSameEmail(email, one)));
  const wrong = typeof one === 'number' ? `Invalid user ID ${one}` : `Invalid email '${one}'`;
  ensure(user !== undefined && user.isActive, badRequest(wrong));
  return user;
}
