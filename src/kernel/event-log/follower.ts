/**
 * Follows one tenant's log on this node and delivers every event once, in order. Events arrive by push, perhaps out of
 * order; missing ones are read. The last push may be the lost one, so the owner reports the log's head from time to
 * time. Events beside the log are delivered in order too, if they arrive in time.
 */
import { withDeadline } from '../deadline';
import type { Kernel } from '../kernel';
import { decodeEvents, type EphemeralEvent, type EventsRow, type NumberedEvent, type Push } from './codec';
import { positionOf } from './position';

type Parts = Pick<Kernel, 'log' | 'settings'>;

/** Where events come from. */
export interface LogSource {
  /** Resolves once pushes arrive; the returned function ends them. */
  listen(listener: PushListener): Promise<() => unknown>;
  head(): Promise<number>;
  /** Events after the number, oldest first, at most one page. */
  after(number: number): Promise<LogPage>;
}

export interface PushListener {
  /** Undefined stands for events of an unknown version. */
  readonly receive: (push: Push | undefined) => void;
  /** Pushes were interrupted, and some may be lost. */
  readonly resumed: () => void;
}

export interface LogPage {
  readonly events: readonly NumberedEvent[];
  /** How far the page reaches: past its last event if the events after it cannot be read. */
  readonly upTo: number;
}

/** An event beside the log has an index. */
export type FollowedEvent = NumberedEvent | EphemeralEvent;

/** Processes that commit at the same time push in any order. A number missing for longer than this is read. */
const GAP_MS = 20;

export class LogFollower {
  head = 0;
  readonly #kernel: Parts;
  readonly #source: LogSource;
  readonly #onEvents: (events: readonly FollowedEvent[]) => void;
  #isOpen = false;
  /** The newest number that was pushed. */
  #pushed = 0;
  /** What was pushed ahead of a lower number, and the timer that limits the wait for it. */
  #early: Push[] = [];
  #gapTimer: NodeJS.Timeout | undefined;
  #repairing: Promise<void> | undefined;
  #listening: Promise<() => unknown> | undefined;

  constructor(kernel: Parts, source: LogSource, onEvents: (events: readonly FollowedEvent[]) => void) {
    this.#kernel = kernel;
    this.#source = source;
    this.#onEvents = onEvents;
  }

  /** Listens before it reads, so that nothing is lost in between. */
  async open(): Promise<void> {
    this.#listening ??= this.#source.listen({
      receive: (push) => this.#receive(push),
      resumed: () => void this.repair(),
    });
    // Without Redis there are no pushes, but the source may still work. The subscription stands once Redis is back.
    await withDeadline('subscribing', this.#kernel.settings.redisDeadlineMs, this.#listening).catch(() => {});
    this.head = await this.#source.head();
    this.#isOpen = true;
    await this.compare(this.#pushed);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    clearTimeout(this.#gapTimer);
    const stop = this.#listening?.then((unlisten) => unlisten());
    if (stop) await withDeadline('unsubscribing', this.#kernel.settings.redisDeadlineMs, stop).catch(() => {});
  }

  /** The log is known to reach this number. */
  async compare(head: number): Promise<void> {
    if (head > this.head) await this.repair();
  }

  /** Reads what was missed, one read at a time. */
  repair(): Promise<void> {
    this.#repairing ??= this.#readMissing()
      .catch((error: Error) => this.#kernel.log.debug({ error }, 'could not read the event log; trying again'))
      .finally(() => (this.#repairing = undefined));
    return this.#repairing;
  }

  async #readMissing(): Promise<void> {
    for (;;) {
      const from = this.head;
      const { events, upTo } = await this.#source.after(from);
      const missed = events.filter(({ number }) => number > this.head);
      // Pushes may have arrived meanwhile, and perhaps nothing was missed.
      if (missed.length > 0) this.#append(missed);
      if (upTo <= from) return;
      this.head = Math.max(this.head, upTo);
    }
  }

  #receive(push: Push | undefined): void {
    this.#pushed = Math.max(this.#pushed, push?.number ?? 0);
    if (!this.#isOpen) return;
    if (push && numberBefore(push) > this.head) return this.#waitFor(push);
    if (push && 'index' in push) return this.#takeBeside(push);
    this.#take(push);
    // Nearly always there are none.
    if (this.#early.length === 0) return;
    const early = this.#early.sort((a, b) => placeOf(a) - placeOf(b));
    this.#early = [];
    for (const each of early) this.#receive(each);
  }

  /** Takes a row that leaves no gap. */
  #take(row: EventsRow | undefined): void {
    if (row && row.number <= this.head) return;
    const events = row && decodeEvents(row);
    // Of an unknown version: the source knows how far it reaches, and skips it.
    if (events) this.#append(events.filter(({ number }) => number > this.head));
    else void this.repair();
  }

  /** Later numbers may have been read before the push arrived. The event is then too late for its place. */
  #takeBeside(event: EphemeralEvent): void {
    if (event.number === this.head) this.#onEvents([event]);
  }

  #waitFor(push: Push): void {
    this.#early.push(push);
    this.#gapTimer ??= setTimeout(() => {
      this.#gapTimer = undefined;
      const early = this.#early;
      this.#early = [];
      const newest = Math.max(0, ...early.map(({ number }) => number));
      void this.compare(newest).then(() => {
        for (const each of early) if ('index' in each) this.#takeBeside(each);
      });
    }, GAP_MS);
  }

  #append(events: readonly NumberedEvent[]): void {
    this.head = events.at(-1)!.number;
    this.#onEvents(events);
  }
}

/** The number that must have been delivered before. */
const numberBefore = (push: Push): number => ('index' in push ? push.number : push.number - push.events);

const placeOf = (push: Push): number => positionOf(push.number, 'index' in push ? push.index : 0);
