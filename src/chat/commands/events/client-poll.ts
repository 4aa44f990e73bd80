/** A poll that waits on this node, and how it ends. */
import type { Storage } from '../../../kernel/kernel';
import type { CachedQueue } from '../../actors/event-queue/queue-cache';
import type { WaitEnd, News, WaitingClient } from '../../actors/recent-events/waiting-clients';
import type { RealmPolls } from '../../actors/recent-events/realm-polls';
import { badQueue } from '../../model/faults';
import type { User } from '../../model/users/user';
import { fillBotKeys } from '../bots/fill-bot-keys';

export interface PollTimes {
  readonly expiryMs: number;
  readonly heartbeatMinMs: number;
  readonly heartbeatMaxMs: number;
}

/** Receives the poll's result. */
export interface Waiter {
  /** The events, each as JSON, in order. */
  answer(queueId: string, events: readonly string[]): void;
  fail(error: unknown): void;
}

export interface HeldParts {
  readonly kernel: Storage;
  readonly polls: RealmPolls;
  readonly queue: CachedQueue;
  readonly by: User;
  readonly times: PollTimes;
}

/** A node holds many of these, so an instance is small and allocates nothing in advance. */
export class ClientPoll implements WaitingClient {
  readonly queue: CachedQueue;
  readonly user: User;
  readonly cursor: number;
  seen: number;
  readonly since = Date.now();
  readonly due: number;
  readonly #kernel: Storage;
  readonly #polls: RealmPolls;
  readonly #waiter: Waiter;

  constructor({ kernel, polls, queue, by, times }: HeldParts, cursor: number, waiter: Waiter) {
    this.queue = queue;
    this.user = by;
    this.cursor = this.seen = cursor;
    this.due = nextHeartbeat(times);
    this.#kernel = kernel;
    this.#polls = polls;
    this.#waiter = waiter;
  }

  get isStream(): boolean {
    return false;
  }

  begin(): void {
    const { recentEvents, waitingClients } = this.#polls;
    this.#polls.wait(this);
    // Entries may have arrived since the last check, if the head has moved: check again.
    if (recentEvents.head > this.cursor) waitingClients.look(this, recentEvents.after(this.cursor));
  }

  /** The client hung up, or the process is shutting down. */
  leave(): void {
    this.#polls.waitingClients.remove(this);
    this.end('released');
  }

  receive(news: News): boolean {
    const { id, base } = this.queue;
    if (news.kind === 'heartbeat') {
      this.#waiter.answer(id, [`{"type":"heartbeat","id":${news.position - base - 1}}`]);
      return false;
    }
    this.queue.sent = news.last;
    answerFilled({ kernel: this.#kernel, by: this.user }, this.#waiter, id, news);
    return false;
  }

  end(ending: WaitEnd): void {
    const { id } = this.queue;
    if (ending === 'gone') this.#waiter.fail(badQueue(id));
    else this.#waiter.answer(id, []);
  }
}

/** Whole seconds, so that many clients become due together and are found in one pass. */
const TOGETHER_MS = 1000;

/** When a client that begins to wait now gets a heartbeat. */
export function nextHeartbeat({ heartbeatMinMs, heartbeatMaxMs }: PollTimes): number {
  const at = Date.now() + heartbeatMinMs + Math.random() * (heartbeatMaxMs - heartbeatMinMs);
  return heartbeatMaxMs < TOGETHER_MS ? at : Math.floor(at / TOGETHER_MS) * TOGETHER_MS;
}

/** Fills in the secrets of events about bots. Other events, which are the rule, do not wait for that. */
export function answerFilled(
  { kernel, by }: { readonly kernel: Storage; readonly by: User },
  waiter: Waiter,
  queueId: string,
  { events, isAboutBots }: { readonly events: readonly string[]; readonly isAboutBots: boolean },
): void {
  if (!isAboutBots) return waiter.answer(queueId, events);
  fillBotKeys(kernel, by, events).then(
    (filled) => waiter.answer(queueId, filled),
    (error: unknown) => waiter.fail(error),
  );
}
