/** This node's cache of event queues. Redis is authoritative; a touch reveals that a queue is gone. */
import { Cache, ownCopy, smallEntry, textBytes } from '../../../kernel/cache/cache';
import type { Keyspace } from '../../../kernel/redis/connections';
import { badQueue, notYourEvents } from '../../model/faults';
import { realmTenant } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import type { PolledQueue } from '../recent-events/waiting-clients';
import { eventQueue, type StoredQueue } from './event-queue';

export interface CachedQueue extends PolledQueue {
  readonly realmId: User['realmId'];
  readonly userId: User['id'];
  acked: number;
  floor: number;
  readonly life: number;
  touchedAt: number;
  touches: number;
  /** The generation of the organisation's polls when the queue was last known to exist (see realm-polls.ts). */
  generation: number;
  /** The position of the last event that was sent, acknowledged or not. */
  sent: number;
  /** When the cost of the resends so far is paid off (see resending.ts); 0 if there were none. */
  resendAt: number;
  /** The last large resend: whether its connection is still open, and how to stop watching it. */
  repeat: { isConnected: boolean; stopFollowing: () => void } | undefined;
}

const MAX_ID_LENGTH = 100;

const BOUNDS = {
  entries: 50_000,
  bytes: 48 * 1024 * 1024,
  weigh: (queue: CachedQueue, id: string) =>
    2 * smallEntry(queue, id) + textBytes((queue.filters.eventTypes ?? []).join() + queue.filters.narrow.flat().join()),
};

export class QueueCache {
  readonly #kernel: Keyspace;
  readonly #queues = new Cache<string, CachedQueue>(BOUNDS);

  constructor(kernel: Keyspace) {
    this.#kernel = kernel;
  }

  /** Returns the queue synchronously, if it is cached here and belongs to the user. */
  getCached(by: User, id: string): CachedQueue | undefined {
    const queue = this.#queues.get(id);
    return queue?.userId === by.id ? queue : undefined;
  }

  async find(by: User, id: string): Promise<CachedQueue> {
    // Our ids are shorter, so do not ask Redis.
    if (id.length > MAX_ID_LENGTH) throw badQueue(id);
    let queue = this.#queues.get(id);
    // A user of another organisation may have guessed the id: answer as if the queue did not exist.
    if (queue && queue.realmId !== by.realmId) throw badQueue(id);
    if (!queue) {
      const stored = await eventQueue.at(realmTenant(by.realmId), id).request(this.#kernel, 'read', null);
      if (!stored) throw badQueue(id);
      queue = this.keep({ id, realmId: by.realmId, ...stored });
    }
    if (queue.userId !== by.id) throw notYourEvents();
    return queue;
  }

  /** Without `touchedAt` and `generation`, the next poll asks Redis whether the queue exists. */
  keep(stored: StoredQueue & Pick<CachedQueue, 'id' | 'realmId'>, touchedAt = 0, generation = 0): CachedQueue {
    // Listed field by field: objects built by spread are slow to read, and this is the hottest object.
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

  /** Another node polls the queue now. If the client returns here, this node must announce the queue again. */
  passOn(id: string): void {
    const queue = this.#queues.get(id);
    if (queue) queue.announcedAt = 0;
  }

  delete(id: string): void {
    this.#queues.delete(id);
  }
}
