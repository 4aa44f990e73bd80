/**
 * Follows one tenant's log on this node: every event once and in order. Events arrive by push, perhaps in another order;
 * what is missing is read. As the last push may be the one that was lost, the owner of a follower says now and then how
 * far the log goes.
 */
import { withDeadline } from '../deadline';
import type { Kernel } from '../kernel';
import { decodeEvents, type EventsRow, type NumberedEvent } from './codec';

/** Where events come from. */
export interface LogSource {
  /** Resolves once pushes arrive; the returned function ends them. */
  listen(listener: PushListener): Promise<() => unknown>;
  head(): Promise<number>;
  /** Events after the number, oldest first, at most a page of them. */
  after(number: number): Promise<LogPage>;
}

export interface PushListener {
  /** Undefined stands for events of a version that this release does not know. */
  readonly receive: (row: EventsRow | undefined) => void;
  /** Pushes were interrupted, and some may be lost. */
  readonly resumed: () => void;
}

export interface LogPage {
  readonly events: readonly NumberedEvent[];
  /** How far the page goes: further than its last event where the events after it cannot be read. */
  readonly upTo: number;
}

/** Processes that commit at the same time push in any order. A number that is missing for longer than this is read. */
const GAP_MS = 20;

export class LogFollower {
  head = 0;
  readonly #kernel: Kernel;
  readonly #source: LogSource;
  readonly #onEvents: (events: readonly NumberedEvent[]) => void;
  #isOpen = false;
  /** The newest number that was pushed. */
  #pushed = 0;
  /** Rows that were pushed before one with a lower number, and the timer that ends the wait for that one. */
  #early: EventsRow[] = [];
  #gapTimer: NodeJS.Timeout | undefined;
  #repairing: Promise<void> | undefined;
  #listening: Promise<() => unknown> | undefined;

  constructor(kernel: Kernel, source: LogSource, onEvents: (events: readonly NumberedEvent[]) => void) {
    this.#kernel = kernel;
    this.#source = source;
    this.#onEvents = onEvents;
  }

  /** Listens first and reads then, so that nothing falls between. */
  async open(): Promise<void> {
    this.#listening ??= this.#source.listen({
      receive: (row) => this.#receive(row),
      resumed: () => void this.repair(),
    });
    // Without Redis there are no pushes, but perhaps a source; the subscription stands as soon as Redis is back.
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

  /** The log is known to go this far. */
  async compare(head: number): Promise<void> {
    if (head > this.head) await this.repair();
  }

  /** Reads what was missed, one reading at a time. */
  repair(): Promise<void> {
    this.#repairing ??= this.#readMissing()
      .catch((error: Error) => this.#kernel.log.debug({ error }, 'could not read the log; trying again'))
      .finally(() => (this.#repairing = undefined));
    return this.#repairing;
  }

  async #readMissing(): Promise<void> {
    for (;;) {
      const from = this.head;
      const { events, upTo } = await this.#source.after(from);
      const missed = events.filter(({ number }) => number > this.head);
      // Pushes may have come meanwhile, and nothing at all may have been missed.
      if (missed.length > 0) this.#append(missed);
      if (upTo <= from) return;
      this.head = Math.max(this.head, upTo);
    }
  }

  #receive(row: EventsRow | undefined): void {
    this.#pushed = Math.max(this.#pushed, row?.number ?? 0);
    if (!this.#isOpen) return;
    if (row && row.number - row.events > this.head) return this.#waitFor(row);
    this.#take(row);
    // Nearly always there are none.
    if (this.#early.length === 0) return;
    const early = this.#early.sort((a, b) => a.number - b.number);
    this.#early = [];
    for (const each of early) this.#receive(each);
  }

  /** A row without a gap before it. */
  #take(row: EventsRow | undefined): void {
    if (row && row.number <= this.head) return;
    const events = row && decodeEvents(row);
    // Of a version that this release does not know: the source says how far it goes, and skips it.
    if (events) this.#append(events.filter(({ number }) => number > this.head));
    else void this.repair();
  }

  #waitFor(row: EventsRow): void {
    this.#early.push(row);
    this.#gapTimer ??= setTimeout(() => {
      this.#gapTimer = undefined;
      const newest = Math.max(0, ...this.#early.map(({ number }) => number));
      this.#early = [];
      void this.compare(newest);
    }, GAP_MS);
  }

  #append(events: readonly NumberedEvent[]): void {
    this.head = events.at(-1)!.number;
    this.#onEvents(events);
  }
}
