/** Answers a poll with what its queue has not acknowledged, or holds it until there is something. */
import { BoundedMap } from '../../kernel/bounded-map';
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import { eventQueue, type StoredQueue } from '../actors/event-queue/event-queue';
import type { Entry } from '../actors/event-ring/entry';
import type { Ending, PolledQueue } from '../actors/event-ring/parked';
import { realmPolls, type RealmPolls } from '../actors/event-ring/realm-polls';
import { hearerOf } from '../model/audience';
import { badQueue, badRequest } from '../model/faults';
import { realmTenant } from '../model/realm';
import type { User } from '../model/user';
import { fillBotKeys } from './fill-bot-keys';

export interface Poll {
  readonly queueId: string;
  readonly lastEventId: number;
  /** The last event sent but not acknowledged: on a stream, where what was sent may yet be lost. */
  readonly sentId?: number;
  readonly dontBlock: boolean;
  readonly expiryMs: number;
  readonly heartbeatMinMs: number;
  readonly heartbeatMaxMs: number;
}

/** A queue as this node last saw it. Redis has the truth; a touch tells when it is gone. */
interface KnownQueue extends PolledQueue {
  readonly userId: User['id'];
  acked: number;
  floor: number;
  touchedAt: number;
  doubts: number;
}

const MOST_KNOWN = 50_000;
const TOUCH_MS = 30_000;
const MOST_EVENTS = 1000;
const MOST_CHARACTERS = 1_000_000;

const known = perKernel(() => new BoundedMap<string, KnownQueue>(MOST_KNOWN));

/** The events, each as JSON, in order. */
export async function pollQueue(kernel: Kernel, by: User, poll: Poll, signal: () => AbortSignal): Promise<string[]> {
  const [queue, polls] = await Promise.all([findQueue(kernel, by, poll.queueId), realmPolls(kernel, by.realmId)]);
  await acknowledge(queue, polls, poll.lastEventId);
  const sent = (poll.sentId ?? -1) + queue.base + 1;
  const from = Math.max(queue.acked, queue.floor);
  const found = await collect(polls, queue, by, Math.max(from, sent));
  // What was sent and not acknowledged must stay to be sent again.
  if (sent <= from) queue.floor = found.floor;
  if (queue.doubts !== polls.doubts) queue.touchedAt = 0;
  await touch(kernel, by, queue, poll.expiryMs);
  queue.doubts = polls.doubts;
  const isAnswered = found.events.length > 0 || poll.dontBlock;
  const events = isAnswered
    ? found.events
    : await wait(polls, { by, queue, poll, cursor: found.floor, signal: signal() });
  return fillBotKeys(kernel, events);
}

async function findQueue(kernel: Kernel, by: User, id: string): Promise<KnownQueue> {
  const key = `${by.realmId}/${id}`;
  let queue = known(kernel).get(key);
  if (!queue) {
    const stored: StoredQueue | undefined = await eventQueue.at(kernel, realmTenant(by.realmId), id).ask('read', null);
    if (!stored) throw badQueue(id);
    queue = { ...stored, id, touchedAt: 0, doubts: 0 };
    known(kernel).set(key, queue);
  }
  if (queue.userId !== by.id) throw badRequest('You are not authorized to get events from this queue');
  return queue;
}

export function forgetQueue(kernel: Kernel, by: User, id: string): void {
  known(kernel).delete(`${by.realmId}/${id}`);
}

/** Ids have gaps, so any number up to the head may be acknowledged, but none twice over a later one. */
async function acknowledge(queue: KnownQueue, { ring }: RealmPolls, lastEventId: number): Promise<void> {
  const number = lastEventId + queue.base + 1;
  // Another node may be ahead of this one; where the queue began, even of what has been told at all.
  if (number > Math.max(ring.head, queue.acked) && number > (await ring.headInRedis()))
    throw badRequest(`Event ${lastEventId} was not in this queue`);
  if (number < queue.acked) throw badRequest(`An event newer than ${lastEventId} has already been pruned!`);
  queue.acked = number;
}

interface Found {
  readonly events: string[];
  /** Everything up to here is none of this queue's, or is among the events before which it lies. */
  readonly floor: number;
}

async function collect(polls: RealmPolls, queue: KnownQueue, by: User, cursor: number): Promise<Found> {
  const { ring } = polls;
  const events: string[] = [];
  let size = 0;
  let floor = cursor;
  for (let at = cursor; ;) {
    const entries = await entriesAfter(polls, queue, at);
    for (const entry of entries) {
      const event = entry.number > at ? entry.render(queue, hearerOf(by)) : null;
      at = Math.max(at, entry.number);
      if (event !== null) {
        events.push(event);
        size += event.length;
      } else if (events.length === 0) floor = at;
      if (events.length === MOST_EVENTS || size > MOST_CHARACTERS) return { events, floor };
    }
    if (at >= ring.head || entries.length === 0) return { events, floor };
  }
}

async function entriesAfter({ ring }: RealmPolls, queue: KnownQueue, number: number): Promise<readonly Entry[]> {
  if (number >= ring.floor) return ring.after(number);
  const older = await ring.readAfter(number);
  // What it has not seen is no more: better anew than with a gap.
  if (!older) throw badQueue(queue.id);
  return older;
}

async function touch(kernel: Kernel, by: User, queue: KnownQueue, expiryMs: number): Promise<void> {
  const now = Date.now();
  if (now - queue.touchedAt < Math.min(TOUCH_MS, expiryMs / 3)) return;
  const { id, acked, floor } = queue;
  const ref = eventQueue.at(kernel, realmTenant(by.realmId), id);
  const isAlive = await ref.ask('touch', { id, userId: by.id, expiryMs, acked, floor });
  if (!isAlive) {
    forgetQueue(kernel, by, id);
    throw badQueue(id);
  }
  queue.touchedAt = now;
}

interface Wait {
  readonly by: User;
  readonly queue: KnownQueue;
  readonly poll: Poll;
  readonly cursor: number;
  readonly signal: AbortSignal;
}

async function wait(polls: RealmPolls, { by, queue, poll, cursor, signal }: Wait): Promise<string[]> {
  const ending = await new Promise<Ending>((resolve) => {
    if (signal.aborted) return resolve({ kind: 'released' });
    const since = Date.now();
    const due = since + poll.heartbeatMinMs + Math.random() * (poll.heartbeatMaxMs - poll.heartbeatMinMs);
    const parked = { queue, user: hearerOf(by), cursor, since, due, end: resolve };
    signal.addEventListener('abort', () => {
      polls.parked.remove(parked);
      resolve({ kind: 'released' });
    });
    polls.park(parked);
    // Something may have come between the last look and this line only if the ring moved: then look again.
    if (polls.ring.head > cursor) polls.parked.deliver(polls.ring.after(cursor));
  });
  switch (ending.kind) {
    case 'events':
      return ending.events;
    case 'heartbeat':
      return [`{"type":"heartbeat","id":${ending.number - queue.base - 1}}`];
    case 'released':
      return [];
    case 'gone':
      throw badQueue(queue.id);
  }
}
