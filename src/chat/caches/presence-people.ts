/** Who shows others when they are there and when they type: what a ping of a client takes of the database. */
import { textBytes } from '../../kernel/cache/cache';
import type { Database } from '../../kernel/mysql/pool';
import type { RealmId } from '../model/organisation/realm';
import type { UserId } from '../model/users/user';
import { CHANGES_OF_USERS } from '../model/users/user-events';
import { settingOf } from '../model/users/user-settings';
import * as realms from '../store/organisation/realms';
import * as people from '../store/users/people';
import { FollowedReads, type Follows } from './followed-reads';

export interface PresencePeople {
  /** Whether the organisation has disabled presence. */
  readonly isOff: boolean;
  /** The email addresses of the active people who are not invisible. */
  readonly emails: ReadonlyMap<UserId, string>;
  /** Who does not tell that they type, to people and in streams. */
  readonly silent: { readonly private: ReadonlySet<UserId>; readonly stream: ReadonlySet<UserId> };
}

/** A number, and its place in a map. */
const ENTRY_BYTES = 80;

export const openPresencePeople = (db: Database, follows: Follows): FollowedReads<PresencePeople> =>
  new FollowedReads<PresencePeople>(follows, {
    changes: new Set([...CHANGES_OF_USERS, 'realm', 'user_settings']),
    async read(realmId: RealmId) {
      const [realm, found] = await Promise.all([realms.byId(db, realmId), people.activeOnes(db, realmId)]);
      const without = (name: string) =>
        new Set(found.filter(({ settings }) => settings && settingOf(settings, name) === false).map(({ id }) => id));
      const invisible = without('presence_enabled');
      const shown = found.filter(({ id }) => !invisible.has(id));
      return {
        isOff: realm?.settings.presence_disabled !== false,
        emails: new Map(shown.map(({ id, email }) => [id, email])),
        silent: {
          private: without('send_private_typing_notifications'),
          stream: without('send_stream_typing_notifications'),
        },
      };
    },
    weigh: ({ emails, silent }) =>
      [...emails.values()].reduce((sum, email) => sum + ENTRY_BYTES + textBytes(email), 200) +
      ENTRY_BYTES * (silent.private.size + silent.stream.size),
    valueBytes: 64 * 1024,
  });
