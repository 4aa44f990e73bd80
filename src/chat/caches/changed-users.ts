/** Which users have lost or gained access since they were looked up, as far as this node has heard from the log. */
import type { RealmId } from '../model/organisation/realm';
import type { User, UserId } from '../model/users/user';

/** More changes than this in one organisation, and all its users are looked up again. */
const MOST_CHANGES = 10_000;

/** An organisation whose log this node follows. */
interface Followed {
  /** Users who were looked up earlier than this may have changed without being heard of. */
  since: number;
  readonly changedAt: Map<UserId, number>;
}

export class ChangedUsers {
  /** Counts changes, and so orders them with lookups. */
  #clock = 0;
  readonly #followed = new Map<RealmId, Followed>();
  readonly #lookedUpAt = new WeakMap<User, number>();

  /** Take this before a user is looked up, and give it to `lookedUp` afterwards. */
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
    if (followed.changedAt.size > MOST_CHANGES) this.allChanged(realmId);
  }

  /** All users of the organisation are looked up again. */
  allChanged(realmId: RealmId): void {
    this.#clock += 1;
    const followed = this.#followed.get(realmId);
    if (!followed) return;
    followed.changedAt.clear();
    followed.since = this.#clock;
  }

  /** From now on every change in the organisation is reported to `changed`. */
  follow(realmId: RealmId): void {
    this.#clock += 1;
    this.#followed.set(realmId, { since: this.#clock, changedAt: new Map() });
  }

  unfollow(realmId: RealmId): void {
    this.#followed.delete(realmId);
  }

  /** Whether a user still has the role and the key that they had when they were looked up. */
  isCurrent(user: User): boolean {
    const followed = this.#followed.get(user.realmId);
    if (!followed) return false;
    const at = this.#lookedUpAt.get(user) ?? -1;
    return at >= followed.since && at >= (followed.changedAt.get(user.id) ?? 0);
  }
}
