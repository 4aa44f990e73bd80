/** Answers a poll with its queue's unacknowledged events, or holds it until there are some. */
import type { AnswerPath } from '../../../kernel/answer-path';
import type { Storage } from '../../../kernel/kernel';
import type { CachedQueue } from '../../actors/event-queue/queue-cache';
import { isSurelyThere, isTouchDue } from '../../actors/event-queue/touches';
import type { RecentEventBuffer } from '../../actors/recent-events/recent-event-buffer';
import type { RealmPolls } from '../../actors/recent-events/realm-polls';
import { badRequest } from '../../model/faults';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { findReader } from '../../queries/events/find-reader';
import { collectEvents, collectFromMemory, type Found } from './collect-events';
import { answerFilled, ClientPoll, type HeldParts, type PollTimes, type Waiter } from './client-poll';
import { checkRepeat, countRepeat, forgiveRepeats, isLargeRepeat, isOwingTime, noticeEnds } from './resending';

export interface Poll {
  readonly queueId: string;
  readonly lastEventId: number;
  readonly dontBlock: boolean;
}

export interface Caller {
  readonly chat: Storage & Pick<Chat, 'changedUsers' | 'polls' | 'queues' | 'touches'>;
  readonly by: User;
  /** Tracks the answer on its connection, if possible. */
  readonly answerPath?: AnswerPath | undefined;
}

/** A stream that may begin after the event that its client has seen: by default the last one pruned. */
export async function prepareStream(
  { chat, by }: Caller,
  { queueId, seenId }: { readonly queueId: string; readonly seenId: number | undefined },
): Promise<{ queue: CachedQueue; polls: RealmPolls; by: User; cursor: number }> {
  const [queue, polls] = await Promise.all([chat.queues.find(by, queueId), chat.polls.open(by.realmId)]);
  const reader = await findReader(chat, by);
  await acknowledge(queue, polls, seenId ?? queue.acked - queue.base - 1);
  const cursor = Math.max(queue.acked, queue.floor);
  if (isOwingTime(queue, cursor)) await noticeEnds(queue);
  checkRepeat(queue, cursor);
  await chat.touches.touch(queue);
  queue.generation = polls.generation;
  return { queue, polls, by: reader, cursor };
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
  const cursor = Math.max(queue.acked, queue.floor);
  if (isOwingTime(queue, cursor)) await noticeEnds(queue);
  checkRepeat(queue, cursor);
  const found = await collectEvents(polls.recentEvents, queue, reader, { cursor });
  queue.floor = found.floor;
  const { generation } = polls;
  if (isTouchDue(queue, times.expiryMs, generation)) await chat.touches.touch(queue);
  queue.generation = generation;
  // The reader's access changed meanwhile. The client must authenticate again before it gets any events.
  if (!chat.changedUsers.isCurrent(reader)) return [];
  if (isLargeRepeat(queue, cursor, found.size)) countRepeat(queue, found.size, answerPath);
  return new Promise((resolve, reject) => {
    const client: PollingClient = {
      answer: (_, events) => resolve(events),
      fail: reject,
      onHangUp(held) {
        const until = signal();
        if (until.aborted) held.leave();
        else until.addEventListener('abort', () => held.leave(), { once: true });
      },
    };
    answerOrHold({ kernel: chat, polls, queue, by: reader, times }, poll, found, client);
  });
}

/** Where a poll's answer goes. */
export interface PollingClient extends Waiter {
  /** Registers a poll that is held, to be left if the client hangs up. */
  onHangUp(held: { leave(): void }): void;
}

/** How to answer or hold a poll if memory has everything it needs and nothing is sent again; otherwise undefined. */
export function findInMemory(
  chat: Storage & Pick<Chat, 'lifecycle' | 'polls' | 'queues' | 'touches'>,
  by: User,
  poll: Poll,
  times: PollTimes,
): ((client: PollingClient) => void) | undefined {
  const queue = chat.queues.getCached(by, poll.queueId);
  const polls = chat.polls.getOpen(by.realmId);
  if (!queue || !polls || !isSurelyThere(queue, times.expiryMs, polls.generation)) return undefined;
  const { recentEvents, waitingClients } = polls;
  const position = poll.lastEventId + queue.base + 1;
  const cursor = Math.max(position, queue.floor);
  if (!isHere(recentEvents, queue, position) || cursor < queue.sent || chat.lifecycle.draining.aborted)
    return undefined;
  return (client) => {
    queue.acked = position;
    forgiveRepeats(queue);
    chat.touches.touchSoon(queue, times.expiryMs, waitingClients);
    const parts = { kernel: chat, polls, queue, by, times };
    // Nearly always nothing has happened since the last answer.
    if (cursor >= recentEvents.head && !poll.dontBlock) return hold(parts, (queue.floor = cursor), client);
    const found = collectFromMemory(recentEvents, queue, by, cursor);
    queue.floor = found.floor;
    answerOrHold(parts, poll, found, client);
  };
}

/** Answers with the events that were found, or holds the poll until there are some. */
function answerOrHold(parts: HeldParts, { dontBlock }: Poll, found: Found, client: PollingClient): void {
  const { queue } = parts;
  if (found.events.length > 0 || dontBlock) {
    queue.sent = Math.max(queue.sent, found.last);
    return answerFilled(parts, client, queue.id, found);
  }
  hold(parts, found.floor, client);
}

function hold(parts: HeldParts, cursor: number, client: PollingClient): void {
  const held = new ClientPoll(parts, cursor, client);
  held.begin();
  client.onHangUp(held);
}

const isHere = (recentEvents: RecentEventBuffer, queue: CachedQueue, position: number): boolean =>
  (position === queue.acked || (position > queue.acked && position <= recentEvents.head)) &&
  Math.max(position, queue.floor) >= recentEvents.floor;

/** Ids have gaps, so any position up to the head can be acknowledged, but none below an earlier acknowledgement. */
async function acknowledge(queue: CachedQueue, { recentEvents }: RealmPolls, lastEventId: number): Promise<void> {
  const position = lastEventId + queue.base + 1;
  // A new queue may even start ahead of everything published so far.
  if (position > queue.acked && !(await recentEvents.hasReached(position)))
    throw badRequest(`Event ${lastEventId} was not in this queue`);
  if (position < queue.acked) throw badRequest(`An event newer than ${lastEventId} has already been pruned!`);
  queue.acked = position;
  forgiveRepeats(queue);
}
