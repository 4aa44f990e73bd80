/** Who has muted whom in each organisation: what sending must know of it, without a look at every recipient. */
import type { Database } from '../../kernel/mysql/pool';
import { mutersOf, type Muters } from '../store/users/muted-users';
import { FollowedReads, type Follows } from './followed-reads';

/** A number, and its place in a list. */
const ENTRY_BYTES = 60;

export type MuterCache = FollowedReads<Muters>;

export const openMuters = (db: Database, follows: Follows): MuterCache =>
  new FollowedReads<Muters>(follows, {
    changes: new Set(['muted_users']),
    read: (realmId) => mutersOf(db, realmId),
    weigh: (muters) => [...muters.values()].reduce((sum, { length }) => sum + ENTRY_BYTES * (1 + length), 200),
    valueBytes: 16 * 1024,
  });
