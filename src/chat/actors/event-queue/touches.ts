/** Tells Redis that queues live, and how far their clients are: one whose poll waits for the answer, else many at once. */
import type { Kernel } from '../../../kernel/kernel';
import { perKernel } from '../../../kernel/per-kernel';
import { badQueue } from '../../model/faults';
import { realmTenant, type RealmId } from '../../model/realm';
import type { ParkedPolls } from '../event-ring/parked';
import { eventQueue } from './event-queue';
import { forgetQueue, type KnownQueue } from './known-queues';

const TOUCH_MS = 30_000;
/** Those that come within this time are told together. */
const TOGETHER_MS = 1000;
/** To move a queue up among its user's costs Redis more than all else about a touch, and nobody has many. */
const TOUCHES_A_MOVE = 3;
/** One script keeps Redis busy for as long as it runs. */
const MOST_AT_ONCE = 50;

/** Whether Redis has to hear that it lives, or has to be asked whether it does. */
export const isTouchDue = (queue: KnownQueue, expiryMs: number, doubts: number): boolean =>
  queue.doubts !== doubts || Date.now() - queue.touchedAt >= Math.min(TOUCH_MS, expiryMs / 3);

/** So long after the last touch it is in Redis for certain, and a poll need not wait for the next one. */
export const isSurelyThere = (queue: KnownQueue, expiryMs: number, doubts: number): boolean =>
  queue.doubts === doubts && Date.now() - queue.touchedAt < expiryMs / 2;

/** Gives those that are gone. */
async function touch(kernel: Kernel, realmId: RealmId, queues: readonly KnownQueue[]): Promise<KnownQueue[]> {
  const touched = queues.map((queue) => {
    const { id, userId, life, acked, floor } = queue;
    return { id, userId, life, acked, floor, movesUp: queue.touches++ % TOUCHES_A_MOVE === 0 };
  });
  const [own, ...others] = touched as [(typeof touched)[0], ...typeof touched];
  const there = await eventQueue.at(kernel, realmTenant(realmId), own.id).ask('touch', { own, others });
  const gone = queues.filter((_, index) => !there[index]);
  for (const queue of gone) forgetQueue(kernel, queue.id);
  return gone;
}

export async function touchQueue(kernel: Kernel, queue: KnownQueue): Promise<void> {
  const now = Date.now();
  const gone = await touch(kernel, queue.realmId, [queue]);
  if (gone.length > 0) throw badQueue(queue.id);
  queue.touchedAt = now;
}

interface DueTouch {
  readonly queue: KnownQueue;
  /** Told if it is gone. */
  readonly parked: ParkedPolls;
  readonly before: number;
}

const waiting = perKernel(() => new Map<RealmId, DueTouch[]>());

/** The same, where it is due, while a poll is held. Should Redis be away, the next poll tries again. */
export function touchMeanwhile(kernel: Kernel, queue: KnownQueue, expiryMs: number, parked: ParkedPolls): void {
  if (!isTouchDue(queue, expiryMs, queue.doubts)) return;
  const due = waiting(kernel);
  if (due.size === 0) setTimeout(() => touchAll(kernel), TOGETHER_MS).unref();
  const own = due.get(queue.realmId) ?? [];
  due.set(queue.realmId, own);
  own.push({ queue, parked, before: queue.touchedAt });
  queue.touchedAt = Date.now();
}

function touchAll(kernel: Kernel): void {
  const due = [...waiting(kernel)];
  waiting(kernel).clear();
  for (const [realmId, touches] of due) {
    for (let start = 0; start < touches.length; start += MOST_AT_ONCE) {
      void touchSome(kernel, realmId, touches.slice(start, start + MOST_AT_ONCE));
    }
  }
}

async function touchSome(kernel: Kernel, realmId: RealmId, touches: readonly DueTouch[]): Promise<void> {
  const queues = touches.map(({ queue }) => queue);
  try {
    const gone = new Set(await touch(kernel, realmId, queues));
    for (const { queue, parked } of touches) if (gone.has(queue)) parked.end(queue.id, { kind: 'gone' });
  } catch (error) {
    for (const { queue, before } of touches) queue.touchedAt = before;
    kernel.log.debug({ error }, 'could not touch queues');
  }
}
