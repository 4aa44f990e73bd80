/**
 * Who showed which credentials before, so that what is asked most often need not ask MySQL again. Whatever changes a user
 * is told in the organisation's log: only while this node is sure to hear that is anybody kept.
 */
import { Cache } from '../../kernel/cache';
import { LOG_CARRIER } from '../../kernel/event-log/log-carrier';
import type { Kernel } from '../../kernel/kernel';
import { eventsIn } from '../../kernel/mysql/outbox-rows';
import { perKernel } from '../../kernel/per-kernel';
import { readEntry, typeOf } from '../model/event';
import type { RealmId } from '../model/realm';
import type { User, UserId } from '../model/user';
import { CHANGES_OF_USERS, changedUser, REVOCATION } from '../model/user-events';
import { changedUsers } from './changed-users';

/** Even so they are looked up again now and then. */
const LONGEST_MS = 300_000;
const BOUNDS = { entries: 50_000, bytes: 32 * 1024 * 1024, ttlMs: LONGEST_MS, weigh: () => 600 };

interface Recent {
  readonly user: User;
  readonly host: string;
  readonly at: number;
}

/** What a request shows, as compared: each of the two has one spelling, and its length has a bound. */
export interface ShownCaller {
  /** A hash of address and key, whatever the spelling of the header. */
  readonly caller: string;
  readonly host: string;
}

class RecentCallers {
  readonly #kept = new Cache<string, Recent>(BOUNDS);
  readonly #heard = new Map<RealmId, { readonly since: number; readonly isCurrent: () => boolean }>();
  #forgotten = 0;

  recall(shown: ShownCaller): User | undefined {
    const recent = this.#kept.get(shown.caller);
    if (!recent || recent.host !== shown.host || performance.now() - recent.at > LONGEST_MS) return undefined;
    return this.#hears(recent.user.realmId, recent.at) ? recent.user : undefined;
  }

  /** Looks somebody up and keeps them, unless something may have changed on the way without being heard of. */
  async remember(shown: ShownCaller, find: () => Promise<User>): Promise<User> {
    const forgotten = this.#forgotten;
    const at = performance.now();
    const user = await find();
    const { caller, host } = shown;
    if (this.#forgotten === forgotten && this.#hears(user.realmId, at)) this.#kept.set(caller, { user, host, at });
    return user;
  }

  forget(userId: UserId): void {
    this.#forgotten += 1;
    this.#kept.deleteWhere(({ user }) => user.id === userId);
  }

  /** From now on everything told in the organisation is heard of, for as long as this says so. */
  hear(realmId: RealmId, isCurrent: () => boolean): void {
    this.#heard.set(realmId, { since: performance.now(), isCurrent });
  }

  #hears(realmId: RealmId, since: number): boolean {
    const heard = this.#heard.get(realmId);
    return heard !== undefined && heard.since <= since && heard.isCurrent();
  }
}

export const recentCallers = perKernel(() => new RecentCallers());

/** On the node that changes somebody, the change holds at once. */
export function watchCallers(kernel: Kernel): void {
  kernel.outbox.watch((row) => {
    const { carrier, number, events = 1, first_record = null, body } = row;
    if (carrier !== LOG_CARRIER || number === null || !OPENINGS.some((opening) => body.includes(opening))) return;
    for (const event of eventsIn([{ number, events, first_record, body }])) {
      const type = typeOf(event.body);
      if (!CHANGES_OF_USERS.has(type)) continue;
      const userId = changedUser(readEntry(event.body).payload);
      recentCallers(kernel).forget(userId);
      if (type === REVOCATION) changedUsers(kernel).changed(userId);
    }
  });
}

/** How such entries begin; nowhere else do these stand in JSON, so that most rows need not be read. */
const OPENINGS = [...CHANGES_OF_USERS].map((type) => `{"type":"${type}"`);
