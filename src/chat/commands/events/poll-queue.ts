/** Answers a poll with its queue's unacknowledged events, or holds it until there are some. */
import type { AnswerPath } from '../../../kernel/answer-path';
import type { CachedQueue } from '../../actors/event-queue/queue-cache';
import { isSurelyThere, isTouchDue } from '../../actors/event-queue/touches';
import type { RecentEventBuffer } from '../../actors/recent-events/recent-event-buffer';
import type { RealmPolls } from '../../actors/recent-events/realm-polls';
import { badRequest } from '../../model/faults';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { findReader } from '../../queries/events/find-reader';
import { collectEvents, collectFromMemory, type Found } from './collect-events';
import { fillBotKeys } from '../bots/fill-bot-keys';
import { answerFilled, ClientPoll, type PollTimes, type Waiter } from './client-poll';
import { checkRepeat, countRepeat, forgiveRepeats, isLargeRepeat, isOwingTime, noticeEnds } from './resending';

export interface Poll {
  readonly queueId: string;
  readonly lastEventId: number;
  /** The last event sent but not acknowledged. A streaming client sets this, because sent events may still be lost. */
  readonly sentId?: number;
  /** Size limit of the events in one answer, if it is not the default. */
  readonly maxCharacters?: number;
  readonly dontBlock: boolean;
}

export interface Caller {
  readonly chat: Chat;
  readonly by: User;
  /** Tracks the answer on its connection, if possible. */
  readonly answerPath?: AnswerPath | undefined;
}

/** Validates the queue before a stream begins. Returns the event after which it begins: by default the last pruned. */
export async function beginStream({ chat, by }: Caller, queueId: string, seenId?: number): Promise<number> {
  const [queue, polls] = await Promise.all([chat.queues.find(by, queueId), chat.polls.open(by.realmId)]);
  const lastEventId = seenId ?? queue.acked - queue.base - 1;
  await acknowledge(queue, polls, lastEventId);
  await chat.touches.touch(queue);
  return lastEventId;
}

/** Returns the events, each as JSON, in order. */
export async function pollQueue(
  { chat, by, answerPath }: Caller,
  poll: Poll,
  times: PollTimes,
  signal: () => AbortSignal,
): Promise<readonly string[]> {
  const [queue, polls] = await Promise.all([chat.queues.find(by, poll.queueId), chat.polls.open(by.realmId)]);
  const reader = await findReader(chat, by);
  await acknowledge(queue, polls, poll.lastEventId);
  const sent = (poll.sentId ?? -1) + queue.base + 1;
  if (isOwingTime(queue, Math.max(queue.acked, queue.floor, sent))) await noticeEnds(queue);
  const from = Math.max(queue.acked, queue.floor);
  const cursor = Math.max(from, sent);
  checkRepeat(queue, cursor);
  const found = await collectEvents(polls.recentEvents, queue, reader, { cursor, maxCharacters: poll.maxCharacters });
  // Unacknowledged events must stay available for a resend.
  if (sent <= from) queue.floor = found.floor;
  const { generation } = polls;
  if (isTouchDue(queue, times.expiryMs, generation)) await chat.touches.touch(queue);
  queue.generation = generation;
  // The reader's access changed meanwhile. The client must authenticate again before it gets any events.
  if (!chat.changedUsers.isCurrent(reader)) return [];
  if (found.events.length > 0 || poll.dontBlock) {
    if (isLargeRepeat(queue, cursor, found.size)) countRepeat(queue, found.size, answerPath);
    return fillBotKeys(chat.kernel, by, noteSent(queue, found));
  }
  return new Promise((resolve, reject) => {
    const until = signal();
    if (until.aborted) return resolve([]);
    const waiter: Waiter = { answer: (_, events) => resolve(events), fail: reject };
    const held = new ClientPoll({ kernel: chat.kernel, polls, queue, by: reader, cursor: found.floor, times, waiter });
    until.addEventListener('abort', () => held.leave(), { once: true });
    held.begin();
  });
}

/** A client whose answer goes through callbacks, not through a return value. */
export interface PollingClient extends Caller, Waiter {
  /** Registers the poll to be left if the client hangs up before its answer. */
  onHangUp(held: { leave(): void }): void;
}

/** Answers or holds a poll if memory has everything it needs. Returns whether that was so. */
export function pollFromMemory(caller: PollingClient, poll: Poll, times: PollTimes): boolean {
  const { chat, by } = caller;
  const { kernel } = chat;
  const queue = chat.queues.getCached(by, poll.queueId);
  const polls = chat.polls.getOpen(by.realmId);
  if (!queue || !polls || !isSurelyThere(queue, times.expiryMs, polls.generation)) return false;
  const { recentEvents, waitingPolls } = polls;
  const number = poll.lastEventId + queue.base + 1;
  const from = Math.max(number, queue.floor);
  if (!isHere(recentEvents, queue, number)) return false;
  if (isOwingTime(queue, from) || kernel.lifecycle.draining.aborted) return false;
  queue.acked = number;
  forgiveRepeats(queue);
  chat.touches.touchSoon(queue, times.expiryMs, waitingPolls);
  let cursor = from;
  if (from < recentEvents.head || poll.dontBlock) {
    const found = collectFromMemory(recentEvents, queue, by, from);
    if (isLargeRepeat(queue, from, found.size)) return false;
    queue.floor = cursor = found.floor;
    if (found.events.length > 0 || poll.dontBlock) {
      answerFilled({ kernel, by }, caller, queue.id, { ...found, events: noteSent(queue, found) });
      return true;
    }
  }
  const held = new ClientPoll({ kernel, polls, queue, by, cursor, times, waiter: caller });
  caller.onHangUp(held);
  held.begin();
  return true;
}

const isHere = (recentEvents: RecentEventBuffer, queue: CachedQueue, number: number): boolean =>
  (number === queue.acked || (number > queue.acked && number <= recentEvents.head)) &&
  Math.max(number, queue.floor) >= recentEvents.floor;

/** Ids have gaps, so any number up to the head can be acknowledged, but none below an earlier acknowledgement. */
async function acknowledge(queue: CachedQueue, { recentEvents }: RealmPolls, lastEventId: number): Promise<void> {
  const number = lastEventId + queue.base + 1;
  // Another node may be ahead of this one. A new queue may even start ahead of everything published so far.
  if (number > Math.max(recentEvents.head, queue.acked) && number > (await recentEvents.headInRedis()))
    throw badRequest(`Event ${lastEventId} was not in this queue`);
  if (number < queue.acked) throw badRequest(`An event newer than ${lastEventId} has already been pruned!`);
  queue.acked = number;
  forgiveRepeats(queue);
}

function noteSent(queue: CachedQueue, { events, last }: Found): string[] {
  queue.sent = Math.max(queue.sent, last);
  return events;
}
