/**
 * Caches callers by their credentials, so that frequent requests need no MySQL query. Every change of a user is an
 * event in the organisation's log, so a caller is cached only while this node follows that log.
 */
import { Cache } from '../../kernel/cache/cache';
import { Changes } from '../../kernel/cache/changes';
import { decodeEvents } from '../../kernel/event-log/codec';
import { LOG_PUBLISHER } from '../../kernel/event-log/log-publisher';
import type { Outbox } from '../../kernel/mysql/outbox';
import { readEntry, typeOf } from '../model/events/event';
import { realmOf, type RealmId } from '../model/organisation/realm';
import type { User, UserId } from '../model/users/user';
import { CHANGES_OF_USERS, changedUser, REVOCATION } from '../model/users/user-events';
import type { ChangedUsers } from './changed-users';
import type { Outdating } from './followed-reads';

/** Callers are looked up again after this time in any case. */
const MAX_MS = 300_000;
const BOUNDS = { entries: 50_000, bytes: 32 * 1024 * 1024, ttlMs: MAX_MS, weigh: () => 600 };

interface Recent {
  readonly user: User;
  readonly at: number;
  /** By the clocks of the changes. */
  readonly moment: Moment;
}

interface Moment {
  readonly ofUsers: number;
  readonly ofRealms: number;
}

export class CallerCache {
  readonly #recent = new Cache<string, Recent>(BOUNDS);
  readonly #followed = new Map<RealmId, { readonly since: number; readonly isCurrent: () => boolean }>();
  readonly #users = new Changes<UserId>();
  readonly #realms = new Changes<RealmId>();

  /**
   * The key is a hash of the authorization header, or of the session's token. It does not include the host: a caller may
   * use several hosts, and each request checks its host against the organisation.
   */
  get(key: string): User | undefined {
    const recent = this.#recent.get(key);
    return recent && this.#isCurrent(recent) ? recent.user : undefined;
  }

  /** Looks a caller up and caches them, unless a change may have gone unnoticed meanwhile. */
  async find(key: string, read: () => Promise<User>): Promise<User> {
    const moment = { ofUsers: this.#users.now, ofRealms: this.#realms.now };
    const at = performance.now();
    const recent = { user: await read(), at, moment };
    if (this.#isCurrent(recent)) this.#recent.set(key, recent);
    return recent.user;
  }

  /** Searching the cache for a user's entries would take long, so they stay until they are read or replaced. */
  delete(userId: UserId): void {
    this.#users.note(userId);
  }

  deleteRealm(realmId: RealmId): void {
    this.#realms.note(realmId);
  }

  #isCurrent({ user, at, moment }: Recent): boolean {
    return (
      this.isFollowed(user.realmId, at) &&
      !this.#users.hasChangedSince(user.id, moment.ofUsers) &&
      !this.#realms.hasChangedSince(user.realmId, moment.ofRealms)
    );
  }

  /** From now on this node receives every event of the organisation, while `isCurrent` returns true. */
  follow(realmId: RealmId, isCurrent: () => boolean): void {
    this.#followed.set(realmId, { since: performance.now(), isCurrent });
  }

  unfollow(realmId: RealmId): void {
    this.#followed.delete(realmId);
  }

  /** Whether this node has received every change of the organisation's users since then. */
  isFollowed(realmId: RealmId, since: number): boolean {
    const followed = this.#followed.get(realmId);
    return followed !== undefined && followed.since <= since && followed.isCurrent();
  }
}

/** On the node that changes something which is cached, the change applies at once. */
export function watchChanges(
  outbox: Outbox,
  { callers, changedUsers, followedReads }: Forgetting & { readonly followedReads: readonly Outdating[] },
): void {
  // The starts of such entries. They occur nowhere else in JSON, so most rows need no parsing.
  const types = new Set(
    [CHANGES_OF_USERS, ...followedReads.map(({ changes }) => changes)].flatMap((some) => [...some]),
  );
  const openings = [...types].map((type) => `{"type":"${type}"`);
  outbox.watch((row) => {
    const { publisher, tenant, number, events = 1, first_record = null, body } = row;
    if (publisher !== LOG_PUBLISHER || number === null || !openings.some((opening) => body.includes(opening))) return;
    for (const event of decodeEvents({ number, events, first_record, body }) ?? []) {
      const type = typeOf(event.body);
      for (const each of followedReads) if (each.changes.has(type)) each.delete(realmOf(tenant));
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
