/**
 * Follows one tenant's log on this node and delivers every event once, in order. Events arrive by push, perhaps out of
 * order; missing ones are read. The last push may be the lost one, so the owner reports the log's head from time to
 * time.
 */
import { withDeadline } from '../deadline';
import type { Kernel } from '../kernel';
import { decodeEvents, type EventsRow, type NumberedEvent } from './codec';

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
  readonly receive: (row: EventsRow | undefined) => void;
  /** Pushes were interrupted, and some may be lost. */
  readonly resumed: () => void;
}

export interface LogPage {
  readonly events: readonly NumberedEvent[];
  /** How far the page reaches: past its last event if the events after it cannot be read. */
  readonly upTo: number;
}

/** Processes that commit at the same time push in any order. A number missing for longer than this is read. */
const GAP_MS = 20;

export class LogFollower {
  head = 0;
  readonly #kernel: Parts;
  readonly #source: LogSource;
  readonly #onEvents: (events: readonly NumberedEvent[]) => void;
  #isOpen = false;
  /** The newest number that was pushed. */
  #pushed = 0;
  /** Rows that were pushed ahead of a lower number, and the timer that limits the wait for it. */
  #early: EventsRow[] = [];
  #gapTimer: NodeJS.Timeout | undefined;
  #repairing: Promise<void> | undefined;
  #listening: Promise<() => unknown> | undefined;

  constructor(kernel: Parts, source: LogSource, onEvents: (events: readonly NumberedEvent[]) => void) {
    this.#kernel = kernel;
    this.#source = source;
    this.#onEvents = onEvents;
  }

  /** Listens before it reads, so that nothing is lost in between. */
  async open(): Promise<void> {
    this.#listening ??= this.#source.listen({
      receive: (row) => this.#receive(row),
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

  /** Takes a row that leaves no gap. */
  #take(row: EventsRow | undefined): void {
    if (row && row.number <= this.head) return;
    const events = row && decodeEvents(row);
    // Of an unknown version: the source knows how far it reaches, and skips it.
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
