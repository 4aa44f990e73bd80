/** Queues as this node last saw them. Redis has the truth; a touch tells when one is gone. */
import { Cache, ownCopy, smallEntry, textBytes } from '../../../kernel/cache';
import type { Kernel } from '../../../kernel/kernel';
import { badQueue, notYourEvents } from '../../model/faults';
import { realmTenant } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import type { PolledQueue } from '../recent-events/waiting-polls';
import { eventQueue, type StoredQueue } from './event-queue';

export interface CachedQueue extends PolledQueue {
  readonly realmId: User['realmId'];
  readonly userId: User['id'];
  acked: number;
  floor: number;
  readonly life: number;
  touchedAt: number;
  touches: number;
  /** Of the organisation's polls when it was last known to exist: see realm-polls.ts. */
  generation: number;
  /** The number of the last event that was sent, acknowledged or not. */
  sent: number;
  /** What the repetitions so far have cost is paid by then, see resending.ts; 0 where there were none. */
  resendAt: number;
  /** The last large repetition: whether the connection that took it still stands, and how to stop following it. */
  repeat: { isConnected: boolean; stopFollowing: () => void } | undefined;
}

const LONGEST_ID = 100;

const BOUNDS = {
  entries: 50_000,
  bytes: 48 * 1024 * 1024,
  weigh: (queue: CachedQueue, id: string) =>
    2 * smallEntry(queue, id) + textBytes((queue.filters.eventTypes ?? []).join() + queue.filters.narrow.flat().join()),
};

export class QueueCache {
  readonly #kernel: Kernel;
  readonly #queues = new Cache<string, CachedQueue>(BOUNDS);

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** The queue at once, if this node knows it and it is the user's. */
  getCached(by: User, id: string): CachedQueue | undefined {
    const queue = this.#queues.get(id);
    return queue?.userId === by.id ? queue : undefined;
  }

  async find(by: User, id: string): Promise<CachedQueue> {
    // Our ids are shorter: this one is not worth asking Redis about.
    if (id.length > LONGEST_ID) throw badQueue(id);
    let queue = this.#queues.get(id);
    // A user of another organisation may have guessed the id: for them there is no such queue.
    if (queue && queue.realmId !== by.realmId) throw badQueue(id);
    if (!queue) {
      const stored = await eventQueue.at(this.#kernel, realmTenant(by.realmId), id).request('read', null);
      if (!stored) throw badQueue(id);
      queue = this.keep({ id, realmId: by.realmId, ...stored });
    }
    if (queue.userId !== by.id) throw notYourEvents();
    return queue;
  }

  /** Without a touch and a generation, the next poll asks Redis whether the queue is there. */
  keep(stored: StoredQueue & Pick<CachedQueue, 'id' | 'realmId'>, touchedAt = 0, generation = 0): CachedQueue {
    // Written out: an object that is spread from others is slow to read, and no object is read more often.
    const queue = {
      id: ownCopy(stored.id),
      realmId: stored.realmId,
      userId: stored.userId,
      filters: stored.filters,
      base: stored.base,
      acked: stored.acked,
      floor: stored.floor,
      life: stored.life,
      touchedAt,
      generation,
      touches: 0,
      announcedAt: 0,
      sent: 0,
      resendAt: 0,
      repeat: undefined,
    };
    this.#queues.set(stored.id, queue);
    return queue;
  }

  /** Another node polls the queue: when it comes back here, the other nodes have to hear of it. */
  passOn(id: string): void {
    const queue = this.#queues.get(id);
    if (queue) queue.announcedAt = 0;
  }

  delete(id: string): void {
    this.#queues.delete(id);
  }
}
