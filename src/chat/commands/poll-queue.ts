/** Answers a poll with what its queue has not acknowledged, or holds it until there is something. */
import type { Kernel } from '../../kernel/kernel';
import { findQueue, recallQueue, type KnownQueue } from '../actors/event-queue/known-queues';
import { isSurelyThere, isTouchDue, touchMeanwhile, touchQueue } from '../actors/event-queue/touches';
import type { Ring } from '../actors/event-ring/ring';
import { openRealmPolls, realmPolls, type RealmPolls } from '../actors/event-ring/realm-polls';
import { badRequest, redeliveredTooOften } from '../model/faults';
import type { User } from '../model/user';
import { collectEvents, collectFromMemory, type Found } from './collect-events';
import { fillBotKeys } from './fill-bot-keys';
import { answerFilled, HeldPoll, type PollTimes, type Waiter } from './held-poll';

export interface Poll {
  readonly queueId: string;
  readonly lastEventId: number;
  /** The last event sent but not acknowledged: on a stream, where what was sent may yet be lost. */
  readonly sentId?: number;
  /** Of the events of one answer, where it is not the usual. */
  readonly mostCharacters?: number;
  readonly dontBlock: boolean;
}

export interface Caller {
  readonly kernel: Kernel;
  readonly by: User;
}

/** What is wrong with the queue, before a stream begins. */
export async function checkQueue({ kernel, by }: Caller, poll: Poll): Promise<void> {
  const [queue, polls] = await Promise.all([findQueue(kernel, by, poll.queueId), realmPolls(kernel, by.realmId)]);
  await acknowledge(queue, polls, poll.lastEventId);
  await touchQueue(kernel, queue);
}

/** The events, each as JSON, in order. */
export async function pollQueue(
  { kernel, by }: Caller,
  poll: Poll,
  times: PollTimes,
  signal: () => AbortSignal,
): Promise<readonly string[]> {
  const [queue, polls] = await Promise.all([findQueue(kernel, by, poll.queueId), realmPolls(kernel, by.realmId)]);
  await acknowledge(queue, polls, poll.lastEventId);
  const sent = (poll.sentId ?? -1) + queue.base + 1;
  const from = Math.max(queue.acked, queue.floor);
  const cursor = Math.max(from, sent);
  if (isResending(queue, cursor)) throw redeliveredTooOften((queue.resendAt - Date.now()) / 1000);
  const found = await collectEvents(polls.ring, queue, by, { cursor, mostCharacters: poll.mostCharacters });
  // What was sent and not acknowledged must stay to be sent again.
  if (sent <= from) queue.floor = found.floor;
  const { doubts } = polls;
  if (isTouchDue(queue, times.expiryMs, doubts)) await touchQueue(kernel, queue);
  queue.doubts = doubts;
  if (found.events.length > 0 || poll.dontBlock) return fillBotKeys(kernel, noteSent(queue, cursor, found));
  return new Promise((resolve, reject) => {
    const until = signal();
    if (until.aborted) return resolve([]);
    const waiter: Waiter = { answer: (_, events) => resolve(events), fail: reject };
    const held = new HeldPoll({ kernel, polls, queue, by, cursor: found.floor, times, waiter });
    until.addEventListener('abort', () => held.leave(), { once: true });
    held.begin();
  });
}

export interface QuickCaller extends Caller, Waiter {
  /** Told if the client leaves before it is answered. */
  onHangUp(held: { leave(): void }): void;
}

/** The same where memory has all that it takes; says whether it had. */
export function pollFromMemory(caller: QuickCaller, poll: Poll, times: PollTimes): boolean {
  const { kernel, by } = caller;
  const queue = recallQueue(kernel, by, poll.queueId);
  const polls = openRealmPolls(kernel, by.realmId);
  if (!queue || !polls || !isSurelyThere(queue, times.expiryMs, polls.doubts)) return false;
  const { ring, parked } = polls;
  const number = poll.lastEventId + queue.base + 1;
  const from = Math.max(number, queue.floor);
  if (!isHere(ring, queue, number) || from < ring.floor) return false;
  if (isResending(queue, from) || kernel.lifecycle.draining.aborted) return false;
  queue.acked = number;
  touchMeanwhile(kernel, queue, times.expiryMs, parked);
  let cursor = from;
  if (from < ring.head || poll.dontBlock) {
    const found = collectFromMemory(ring, queue, by, from);
    queue.floor = cursor = found.floor;
    if (found.events.length > 0 || poll.dontBlock) {
      answerFilled(kernel, caller, queue.id, { ...found, events: noteSent(queue, from, found) });
      return true;
    }
  }
  const held = new HeldPoll({ kernel, polls, queue, by, cursor, times, waiter: caller });
  caller.onHangUp(held);
  held.begin();
  return true;
}

const isHere = (ring: Ring, queue: KnownQueue, number: number): boolean =>
  number === queue.acked || (number > queue.acked && number <= ring.head);

/** Ids have gaps, so any number up to the head may be acknowledged, but none twice over a later one. */
async function acknowledge(queue: KnownQueue, { ring }: RealmPolls, lastEventId: number): Promise<void> {
  const number = lastEventId + queue.base + 1;
  // Another node may be ahead of this one; where the queue began, even of what has been told at all.
  if (number > Math.max(ring.head, queue.acked) && number > (await ring.headInRedis()))
    throw badRequest(`Event ${lastEventId} was not in this queue`);
  if (number < queue.acked) throw badRequest(`An event newer than ${lastEventId} has already been pruned!`);
  queue.acked = number;
}

/** Sending this much again is sending too much to do it as often as somebody likes. */
const MUCH = 64 * 1024;

/** A client that never acknowledges is sent the same again and again, but not more than so much a second. */
function noteSent(queue: KnownQueue, cursor: number, { events, size, at }: Found): string[] {
  if (cursor < queue.sent && size > MUCH) queue.resendAt = Date.now() + (size / MUCH) * 1000;
  queue.sent = Math.max(queue.sent, at);
  return events;
}

const isResending = (queue: KnownQueue, cursor: number): boolean => cursor < queue.sent && Date.now() < queue.resendAt;
