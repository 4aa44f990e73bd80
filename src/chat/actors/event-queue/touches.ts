/**
 * Extends the expiry of queues in Redis and stores how far their clients are. A poll that must know whether its queue
 * exists waits for its own touch; all other touches are batched.
 */
import type { Kernel } from '../../../kernel/kernel';
import type { Keyspace } from '../../../kernel/redis/connections';
import { badQueue } from '../../model/faults';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import type { WaitingClients } from '../recent-events/waiting-clients';
import { eventQueue } from './event-queue';
import type { CachedQueue, QueueCache } from './queue-cache';

const TOUCH_MS = 30_000;
/** Touches that become due within this time share a batch. */
const TOGETHER_MS = 1000;
/** Only every third touch refreshes the queue's rank, its costliest part: users have few queues. */
const TOUCHES_A_MOVE = 3;
/** A script blocks Redis while it runs, so each call is limited. */
const MAX_AT_ONCE = 50;

/** Whether the queue's expiry must be extended, or its existence must be checked. */
export const isTouchDue = (queue: CachedQueue, expiryMs: number, generation: number): boolean =>
  queue.generation !== generation || Date.now() - queue.touchedAt >= Math.min(TOUCH_MS, expiryMs / 3);

/** Whether the queue certainly still exists in Redis, so that a poll need not wait for the next touch. */
export const isSurelyThere = (queue: CachedQueue, expiryMs: number, generation: number): boolean =>
  queue.generation === generation && Date.now() - queue.touchedAt < expiryMs / 2;

interface DueTouch {
  readonly queue: CachedQueue;
  /** The waiting polls that include the queue's poll. That poll ends if the queue is gone. */
  readonly waitingClients: WaitingClients;
  readonly before: number;
}

export class QueueTouches {
  readonly #kernel: Keyspace & Pick<Kernel, 'log'>;
  readonly #queues: QueueCache;
  /** Touches for the next batch. */
  readonly #due = new Map<RealmId, DueTouch[]>();

  constructor(kernel: Keyspace & Pick<Kernel, 'log'>, queues: QueueCache) {
    this.#kernel = kernel;
    this.#queues = queues;
  }

  async touch(queue: CachedQueue): Promise<void> {
    const now = Date.now();
    const gone = await this.#touchTogether(queue.realmId, [queue]);
    if (gone.length > 0) throw badQueue(queue.id);
    queue.touchedAt = now;
  }

  /** Touches the queue in the next batch, if due, while its poll waits. If Redis is away, the next poll retries. */
  touchSoon(queue: CachedQueue, expiryMs: number, waitingClients: WaitingClients): void {
    if (!isTouchDue(queue, expiryMs, queue.generation)) return;
    if (this.#due.size === 0) setTimeout(() => this.#touchAll(), TOGETHER_MS).unref();
    const own = this.#due.get(queue.realmId) ?? [];
    this.#due.set(queue.realmId, own);
    own.push({ queue, waitingClients, before: queue.touchedAt });
    queue.touchedAt = Date.now();
  }

  /** Returns the queues that are gone. */
  async #touchTogether(realmId: RealmId, queues: readonly CachedQueue[]): Promise<CachedQueue[]> {
    const touched = queues.map((queue) => {
      const { id, userId, life, acked, floor } = queue;
      return { id, userId, life, acked, floor, movesUp: queue.touches++ % TOUCHES_A_MOVE === 0 };
    });
    const [own, ...others] = touched as [(typeof touched)[0], ...typeof touched];
    const there = await eventQueue.at(realmTenant(realmId), own.id).request(this.#kernel, 'touch', { own, others });
    const gone = queues.filter((_, index) => !there[index]);
    for (const queue of gone) this.#queues.delete(queue.id);
    return gone;
  }

  #touchAll(): void {
    const due = [...this.#due];
    this.#due.clear();
    for (const [realmId, touches] of due) {
      for (let start = 0; start < touches.length; start += MAX_AT_ONCE) {
        void this.#touchSome(realmId, touches.slice(start, start + MAX_AT_ONCE));
      }
    }
  }

  async #touchSome(realmId: RealmId, touches: readonly DueTouch[]): Promise<void> {
    const queues = touches.map(({ queue }) => queue);
    try {
      const gone = new Set(await this.#touchTogether(realmId, queues));
      for (const { queue, waitingClients } of touches) if (gone.has(queue)) waitingClients.end(queue.id, 'gone');
    } catch (error) {
      for (const { queue, before } of touches) queue.touchedAt = before;
      this.#kernel.log.debug({ error }, 'could not extend the expiry of event queues');
    }
  }
}
