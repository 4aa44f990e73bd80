/** A poll that waits on this node, and how it ends. */
import type { Storage } from '../../../kernel/kernel';
import type { CachedQueue } from '../../actors/event-queue/queue-cache';
import type { Ending, WaitingPoll } from '../../actors/recent-events/waiting-polls';
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
  readonly cursor: number;
  readonly times: PollTimes;
  readonly waiter: Waiter;
}

/** A node holds many of these, so an instance is small and allocates nothing in advance. */
export class ClientPoll implements WaitingPoll {
  readonly queue: CachedQueue;
  readonly user: User;
  readonly cursor: number;
  seen: number;
  readonly since = Date.now();
  readonly due: number;
  readonly #kernel: Storage;
  readonly #polls: RealmPolls;
  readonly #waiter: Waiter;

  constructor({ kernel, polls, queue, by, cursor, times, waiter }: HeldParts) {
    this.queue = queue;
    this.user = by;
    this.cursor = this.seen = cursor;
    this.due = this.since + times.heartbeatMinMs + Math.random() * (times.heartbeatMaxMs - times.heartbeatMinMs);
    this.#kernel = kernel;
    this.#polls = polls;
    this.#waiter = waiter;
  }

  begin(): void {
    const { recentEvents, waitingPolls } = this.#polls;
    this.#polls.wait(this);
    // Entries may have arrived since the last check, if the head has moved: check again.
    if (recentEvents.head > this.cursor) waitingPolls.look(this, recentEvents.after(this.cursor));
  }

  /** The client hung up, or the process is shutting down. */
  leave(): void {
    this.#polls.waitingPolls.remove(this);
    this.end({ kind: 'released' });
  }

  end(ending: Ending): void {
    const { id, base } = this.queue;
    switch (ending.kind) {
      case 'events':
        this.queue.sent = ending.last;
        return answerFilled({ kernel: this.#kernel, by: this.user }, this.#waiter, id, ending);
      case 'heartbeat':
        return this.#waiter.answer(id, [`{"type":"heartbeat","id":${ending.position - base - 1}}`]);
      case 'released':
        return this.#waiter.answer(id, []);
      case 'gone':
        return this.#waiter.fail(badQueue(id));
    }
  }
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
