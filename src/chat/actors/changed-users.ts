/** Which users have lost or gained access since they were looked up, as far as this node has heard from the log. */
import { perKernel } from '../../kernel/per-kernel';
import type { RealmId } from '../model/realm';
import type { User, UserId } from '../model/user';

class ChangedUsers {
  /** Counts changes, and so orders them with lookups. */
  #clock = 0;
  /** A number for each user whose access changed since the process began: at most one for each account. */
  readonly #changedAt = new Map<UserId, number>();
  /** Since when changes in an organisation are heard. */
  readonly #heardSince = new Map<RealmId, number>();
  readonly #lookedUpAt = new WeakMap<User, number>();

  /** Take this before a user is looked up, and give it to `lookedUp` afterwards. */
  get now(): number {
    return this.#clock;
  }

  lookedUp(user: User, at: number): User {
    this.#lookedUpAt.set(user, at);
    return user;
  }

  changed(userId: UserId): void {
    this.#clock += 1;
    this.#changedAt.set(userId, this.#clock);
  }

  /** From now on every change in the organisation is told to `changed`. */
  hear(realmId: RealmId): void {
    this.#clock += 1;
    this.#heardSince.set(realmId, this.#clock);
  }

  /** Whether a user still has the role and the key that they had when they were looked up. */
  isCurrent(user: User): boolean {
    const at = this.#lookedUpAt.get(user) ?? -1;
    return at >= (this.#heardSince.get(user.realmId) ?? Infinity) && at >= (this.#changedAt.get(user.id) ?? 0);
  }
}

export const changedUsers = perKernel(() => new ChangedUsers());
