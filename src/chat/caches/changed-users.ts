/** Tracks which users' access has changed since they were looked up, as far as this node has read the log. */
import type { RealmId } from '../model/organisation/realm';
import type { User, UserId } from '../model/users/user';

/** Beyond this many changes in one organisation, all its users are looked up again. */
const MAX_CHANGES = 10_000;

/** An organisation whose log this node follows. */
interface Followed {
  /** Users looked up before this may have changed unnoticed. */
  since: number;
  readonly changedAt: Map<UserId, number>;
}

export class ChangedUsers {
  /** A logical clock that orders changes and lookups. */
  #clock = 0;
  readonly #followed = new Map<RealmId, Followed>();
  readonly #lookedUpAt = new WeakMap<User, number>();

  /** Read this before looking a user up, and pass it to `lookedUp` afterwards. */
  get now(): number {
    return this.#clock;
  }

  lookedUp(user: User, at: number): User {
    this.#lookedUpAt.set(user, at);
    return user;
  }

  changed(realmId: RealmId, userId: UserId): void {
    this.#clock += 1;
    const followed = this.#followed.get(realmId);
    if (!followed) return;
    followed.changedAt.set(userId, this.#clock);
    if (followed.changedAt.size > MAX_CHANGES) this.allChanged(realmId);
  }

  /** Makes all users of the organisation be looked up again. */
  allChanged(realmId: RealmId): void {
    this.#clock += 1;
    const followed = this.#followed.get(realmId);
    if (!followed) return;
    followed.changedAt.clear();
    followed.since = this.#clock;
  }

  /** From now on, every change in the organisation is reported to `changed`. */
  follow(realmId: RealmId): void {
    this.#clock += 1;
    this.#followed.set(realmId, { since: this.#clock, changedAt: new Map() });
  }

  unfollow(realmId: RealmId): void {
    this.#followed.delete(realmId);
  }

  /** Whether a user still has the role and the key from their lookup. */
  isCurrent(user: User): boolean {
    const followed = this.#followed.get(user.realmId);
    if (!followed) return false;
    const at = this.#lookedUpAt.get(user) ?? -1;
    return at >= followed.since && at >= (followed.changedAt.get(user.id) ?? 0);
  }
}
