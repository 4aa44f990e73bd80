/** Queues as this node last saw them. Redis has the truth; a touch tells when one is gone. */
import { Cache, ownCopy, smallEntry, textBytes } from '../../../kernel/cache';
import { perKernel } from '../../../kernel/per-kernel';
import type { Kernel } from '../../../kernel/kernel';
import { badQueue, notYourEvents } from '../../model/faults';
import { realmTenant } from '../../model/realm';
import type { User } from '../../model/user';
import type { PolledQueue } from '../event-ring/parked';
import { eventQueue, type StoredQueue } from './event-queue';

export interface KnownQueue extends PolledQueue {
  readonly realmId: User['realmId'];
  readonly userId: User['id'];
  acked: number;
  floor: number;
  readonly life: number;
  touchedAt: number;
  touches: number;
  doubts: number;
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
  weigh: (queue: KnownQueue, id: string) =>
    2 * smallEntry(queue, id) + textBytes((queue.filters.eventTypes ?? []).join() + queue.filters.narrow.flat().join()),
};
const known = perKernel(() => new Cache<string, KnownQueue>(BOUNDS));

/** At once, if it is known and theirs. */
export function recallQueue(kernel: Kernel, by: User, id: string): KnownQueue | undefined {
  const queue = known(kernel).get(id);
  return queue?.userId === by.id ? queue : undefined;
}

export async function findQueue(kernel: Kernel, by: User, id: string): Promise<KnownQueue> {
  // Ours are shorter: this one is not worth asking Redis about.
  if (id.length > LONGEST_ID) throw badQueue(id);
  let queue = known(kernel).get(id);
  // Somebody of another organisation may have guessed it: there it is not.
  if (queue && queue.realmId !== by.realmId) throw badQueue(id);
  if (!queue) {
    const stored = await eventQueue.at(kernel, realmTenant(by.realmId), id).ask('read', null);
    if (!stored) throw badQueue(id);
    queue = keepQueue(kernel, { id, realmId: by.realmId, ...stored });
  }
  if (queue.userId !== by.id) throw notYourEvents();
  return queue;
}

/** As of this touch, and of so many doubts: one that was begun here just now has had both. */
export function keepQueue(
  kernel: Kernel,
  stored: StoredQueue & Pick<KnownQueue, 'id' | 'realmId'>,
  touchedAt = 0,
  doubts = 0,
): KnownQueue {
  // Written out: what is put together from others is slow to read, and there is nothing that is read more often.
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
    doubts,
    touches: 0,
    announcedAt: 0,
    sent: 0,
    resendAt: 0,
    repeat: undefined,
  };
  known(kernel).set(stored.id, queue);
  return queue;
}

/** It is polled elsewhere: when it comes back here, the others have to hear of it. */
export function passOnQueue(kernel: Kernel, id: string): void {
  const queue = known(kernel).get(id);
  if (queue) queue.announcedAt = 0;
}

export function forgetQueue(kernel: Kernel, id: string): void {
  known(kernel).delete(id);
}
