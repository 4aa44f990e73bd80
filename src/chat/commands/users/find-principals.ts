/** Finds the users on whose behalf a request is made, by address or id. */
import type { Database } from '../../../kernel/mysql/pool';
import { exactEmail } from '../../../kernel/secrets/email-key';
import { notOnBehalfOf } from '../../model/streams/stream-faults';
import type { User } from '../../model/users/user';
import * as people from '../../store/users/people';

export type Principal = string | number;

/** Refuses unknown, foreign and deactivated users alike, so that they cannot be told apart. */
export async function findPrincipals(db: Database, by: User, principals: readonly Principal[]): Promise<User[]> {
  const emails = principals.filter((each) => typeof each === 'string');
  const ids = principals.filter((each) => typeof each === 'number');
  const found = [
    ...(await people.byEmails(db, by.realmId, emails)),
    ...(await people.byIds(db, by.realmId, ids)),
  ].filter(({ isActive }) => isActive);
  const known = new Map<Principal, User>();
  for (const user of found) known.set(user.id, user).set(exactEmail(user.email), user);
  const wanted = principals.map((each) => {
    const user = known.get(typeof each === 'string' ? exactEmail(each) : each);
    if (!user) throw notOnBehalfOf(each);
    return user;
  });
  return [...new Map(wanted.map((user) => [user.id, user])).values()].sort((a, b) => a.id - b.id);
}
