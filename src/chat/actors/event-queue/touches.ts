/**
 * Tells Redis that queues live, and how far their clients are: one whose poll waits for the answer, else many at once.
 */
import type { Kernel } from '../../../kernel/kernel';
import { badQueue } from '../../model/faults';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import type { WaitingPolls } from '../recent-events/waiting-polls';
import { eventQueue } from './event-queue';
import type { CachedQueue, QueueCache } from './queue-cache';

const TOUCH_MS = 30_000;
/** Those that come within this time are told together. */
const TOGETHER_MS = 1000;
/** To move a queue up among its user's costs Redis more than all else about a touch, and nobody has many. */
const TOUCHES_A_MOVE = 3;
/** One script keeps Redis busy for as long as it runs. */
const MOST_AT_ONCE = 50;

/** Whether Redis has to hear that it lives, or has to be asked whether it does. */
export const isTouchDue = (queue: CachedQueue, expiryMs: number, generation: number): boolean =>
  queue.generation !== generation || Date.now() - queue.touchedAt >= Math.min(TOUCH_MS, expiryMs / 3);

/** So long after the last touch it is in Redis for certain, and a poll need not wait for the next one. */
export const isSurelyThere = (queue: CachedQueue, expiryMs: number, generation: number): boolean =>
  queue.generation === generation && Date.now() - queue.touchedAt < expiryMs / 2;

interface DueTouch {
  readonly queue: CachedQueue;
  /** Where the queue's poll waits: it ends if the queue is gone. */
  readonly waitingPolls: WaitingPolls;
  readonly before: number;
}

export class QueueTouches {
  readonly #kernel: Kernel;
  readonly #queues: QueueCache;
  /** Touches that wait for the next second. */
  readonly #due = new Map<RealmId, DueTouch[]>();

  constructor(kernel: Kernel, queues: QueueCache) {
    this.#kernel = kernel;
    this.#queues = queues;
  }

  async touch(queue: CachedQueue): Promise<void> {
    const now = Date.now();
    const gone = await this.#touchTogether(queue.realmId, [queue]);
    if (gone.length > 0) throw badQueue(queue.id);
    queue.touchedAt = now;
  }

  /** The same, where it is due, while a poll waits. Should Redis be away, the next poll tries again. */
  touchSoon(queue: CachedQueue, expiryMs: number, waitingPolls: WaitingPolls): void {
    if (!isTouchDue(queue, expiryMs, queue.generation)) return;
    if (this.#due.size === 0) setTimeout(() => this.#touchAll(), TOGETHER_MS).unref();
    const own = this.#due.get(queue.realmId) ?? [];
    this.#due.set(queue.realmId, own);
    own.push({ queue, waitingPolls, before: queue.touchedAt });
    queue.touchedAt = Date.now();
  }

  /** Gives the queues that are gone. */
  async #touchTogether(realmId: RealmId, queues: readonly CachedQueue[]): Promise<CachedQueue[]> {
    const touched = queues.map((queue) => {
      const { id, userId, life, acked, floor } = queue;
      return { id, userId, life, acked, floor, movesUp: queue.touches++ % TOUCHES_A_MOVE === 0 };
    });
    const [own, ...others] = touched as [(typeof touched)[0], ...typeof touched];
    const there = await eventQueue.at(this.#kernel, realmTenant(realmId), own.id).request('touch', { own, others });
    const gone = queues.filter((_, index) => !there[index]);
    for (const queue of gone) this.#queues.delete(queue.id);
    return gone;
  }

  #touchAll(): void {
    const due = [...this.#due];
    this.#due.clear();
    for (const [realmId, touches] of due) {
      for (let start = 0; start < touches.length; start += MOST_AT_ONCE) {
        void this.#touchSome(realmId, touches.slice(start, start + MOST_AT_ONCE));
      }
    }
  }

  async #touchSome(realmId: RealmId, touches: readonly DueTouch[]): Promise<void> {
    const queues = touches.map(({ queue }) => queue);
    try {
      const gone = new Set(await this.#touchTogether(realmId, queues));
      for (const { queue, waitingPolls } of touches) if (gone.has(queue)) waitingPolls.end(queue.id, { kind: 'gone' });
    } catch (error) {
      for (const { queue, before } of touches) queue.touchedAt = before;
      this.#kernel.log.debug({ error }, 'could not touch queues');
    }
  }
}
