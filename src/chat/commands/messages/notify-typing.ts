/** Publishes that a user has started or stopped typing in a private conversation. */
import type { Database } from '../../../kernel/mysql/pool';
import { isSameEmail } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { entryOf } from '../../model/events/event';
import { badRequest } from '../../model/faults';
import type { Addressees } from '../../model/messages/addressees';
import { realmTenant } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import { invalidTypingOp, missingTypingRecipient } from '../../model/users/user-faults';
import * as people from '../../store/users/people';

type Parts = Pick<Kernel, 'ephemera' | 'mysql'>;

export async function notifyTyping(kernel: Parts, by: User, op: string, to: Addressees): Promise<void> {
  ensure(to.length > 0, missingTypingRecipient());
  ensure(op === 'start' || op === 'stop', invalidTypingOp());
  const named = await findPeople(kernel.mysql, by, to);
  const everybody = [...new Map([by, ...named].map((user) => [user.id, user])).values()].sort((a, b) => a.id - b.id);
  const brief = ({ id, email }: User) => ({ user_id: id, email });
  const event = { type: 'typing', op, sender: brief(by), recipients: everybody.map(brief) };
  const ids = everybody.map(({ id }) => id);
  await kernel.ephemera.push(realmTenant(by.realmId), entryOf(ids, event));
}

async function findPeople(db: Database, by: User, to: Addressees): Promise<User[]> {
  const found =
    typeof to[0] === 'number'
      ? await people.byIds(db, by.realmId, to as readonly number[])
      : await people.byEmails(db, by.realmId, to as readonly string[]);
  for (const one of to) {
    const is = ({ id, email }: User) => (typeof one === 'number' ? id === one : isSameEmail(email, one));
    const user = found.find(is);
    const wrong = typeof one === 'number' ? `Invalid user ID ${one}` : `Invalid email '${one}'`;
    ensure(user !== undefined && user.isActive, badRequest(wrong));
  }
  return found;
}
