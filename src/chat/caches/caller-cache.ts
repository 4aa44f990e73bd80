/**
 * Caches callers by their credentials, so that frequent requests need no MySQL query. Every change of a user is an
 * event in the organisation's log, so a caller is cached only while this node follows that log.
 */
import { Cache } from '../../kernel/cache/cache';
import { decodeEvents } from '../../kernel/event-log/codec';
import { LOG_PUBLISHER } from '../../kernel/event-log/log-publisher';
import type { Outbox } from '../../kernel/mysql/outbox';
import { readEntry, typeOf } from '../model/events/event';
import { realmOf, type RealmId } from '../model/organisation/realm';
import type { User, UserId } from '../model/users/user';
import { CHANGES_OF_USERS, changedUser, REVOCATION } from '../model/users/user-events';
import type { ChangedUsers } from './changed-users';

/** Callers are looked up again after this time in any case. */
const MAX_MS = 300_000;
const BOUNDS = { entries: 50_000, bytes: 32 * 1024 * 1024, ttlMs: MAX_MS, weigh: () => 600 };

interface Recent {
  readonly user: User;
  readonly at: number;
}

export class CallerCache {
  readonly #recent = new Cache<string, Recent>(BOUNDS);
  readonly #followed = new Map<RealmId, { readonly since: number; readonly isCurrent: () => boolean }>();
  /** Increases whenever a caller may have to be looked up again. */
  #changes = 0;

  /**
   * The key is a hash of email address and API key, independent of the header's spelling. It does not include the host:
   * a caller may use several hosts, and each request checks its host against the organisation.
   */
  get(key: string): User | undefined {
    const recent = this.#recent.get(key);
    return recent && this.isFollowed(recent.user.realmId, recent.at) ? recent.user : undefined;
  }

  /** Looks a caller up and caches them, unless a change may have gone unnoticed meanwhile. */
  async find(key: string, read: () => Promise<User>): Promise<User> {
    const changes = this.#changes;
    const at = performance.now();
    const user = await read();
    if (this.#changes === changes && this.isFollowed(user.realmId, at)) this.#recent.set(key, { user, at });
    return user;
  }

  delete(userId: UserId): void {
    this.#changes += 1;
    this.#recent.deleteWhere(({ user }) => user.id === userId);
  }

  deleteRealm(realmId: RealmId): void {
    this.#changes += 1;
    this.#recent.deleteWhere(({ user }) => user.realmId === realmId);
  }

  /** From now on this node receives every event of the organisation, while `isCurrent` returns true. */
  follow(realmId: RealmId, isCurrent: () => boolean): void {
    this.#followed.set(realmId, { since: performance.now(), isCurrent });
  }

  unfollow(realmId: RealmId): void {
    this.#changes += 1;
    this.#followed.delete(realmId);
  }

  /** Whether this node has received every change of the organisation's users since then. */
  isFollowed(realmId: RealmId, since: number): boolean {
    const followed = this.#followed.get(realmId);
    return followed !== undefined && followed.since <= since && followed.isCurrent();
  }
}

/** On the node that changes a user, the change applies at once. */
export function watchChanges(outbox: Outbox, callers: CallerCache, changedUsers: ChangedUsers): void {
  outbox.watch((row) => {
    const { publisher, tenant, number, events = 1, first_record = null, body } = row;
    if (publisher !== LOG_PUBLISHER || number === null || !OPENINGS.some((opening) => body.includes(opening))) return;
    for (const event of decodeEvents({ number, events, first_record, body }) ?? []) {
      const type = typeOf(event.body);
      if (!CHANGES_OF_USERS.has(type)) continue;
      forgetChanged({ callers, changedUsers }, realmOf(tenant), { type, payload: readEntry(event.body).payload });
    }
  });
}

interface Forgetting {
  readonly callers: CallerCache;
  readonly changedUsers: ChangedUsers;
}

/** Drops the users that such an event is about. Returns whose polls must end, if any. */
export function forgetChanged(
  { callers, changedUsers }: Forgetting,
  realmId: RealmId,
  { type, payload }: { readonly type: string; readonly payload: string },
): UserId | 'everybody' | undefined {
  const changed = changedUser(payload);
  if (changed === 'everybody') {
    callers.deleteRealm(realmId);
    changedUsers.allChanged(realmId);
    return changed;
  }
  callers.delete(changed);
  if (type !== REVOCATION) return undefined;
  changedUsers.changed(realmId, changed);
  return changed;
}

/** The start of such entries. It never occurs elsewhere in JSON, so most rows need no parsing. */
const OPENINGS = [...CHANGES_OF_USERS].map((type) => `{"type":"${type}"`);
