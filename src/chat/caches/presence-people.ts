/** Whose presence an organisation shows, if any: what a ping of a client takes of the database. */
import { textBytes } from '../../kernel/cache/cache';
import type { Database } from '../../kernel/mysql/pool';
import type { RealmId } from '../model/organisation/realm';
import type { UserId } from '../model/users/user';
import { CHANGES_OF_USERS } from '../model/users/user-events';
import * as realms from '../store/organisation/realms';
import * as people from '../store/users/people';
import { FollowedReads, type Follows } from './followed-reads';

export interface PresencePeople {
  /** Whether the organisation has disabled presence. */
  readonly isOff: boolean;
  /** The email addresses of the active people. */
  readonly emails: ReadonlyMap<UserId, string>;
}

/** A number, and its place in a map. */
const ENTRY_BYTES = 80;

export const openPresencePeople = (db: Database, follows: Follows): FollowedReads<PresencePeople> =>
  new FollowedReads<PresencePeople>(follows, {
    changes: new Set([...CHANGES_OF_USERS, 'realm']),
    async read(realmId: RealmId) {
      const [realm, emails] = await Promise.all([realms.byId(db, realmId), people.activeEmails(db, realmId)]);
      return { isOff: realm?.settings.presence_disabled !== false, emails };
    },
    weigh: ({ emails }) => [...emails.values()].reduce((sum, email) => sum + ENTRY_BYTES + textBytes(email), 200),
    valueBytes: 64 * 1024,
  });
