/**
 * Follows one tenant's log on this node: every event once and in order. Events arrive by push; what is missing is read
 * at once, and as the last push may be the one that was lost, whoever owns a follower tells it now and then how far the
 * log goes.
 */
import type { Tenant } from '../actor/address';
import { withDeadline } from '../deadline';
import type { Kernel } from '../kernel';
import { decodeEvents, decodeRow, type NumberedEvent } from './codec';
import { eventChannel } from './event-log';

/** Where missed events are read. */
export interface LogSource {
  head(): Promise<number>;
  /** Events after the number, oldest first, at most a page of them. */
  after(number: number): Promise<LogPage>;
}

export interface LogPage {
  readonly events: readonly NumberedEvent[];
  /** How far the page goes: further than its last event where the events after it cannot be read. */
  readonly upTo: number;
}

export class LogFollower {
  head = 0;
  readonly #kernel: Kernel;
  readonly #tenant: Tenant;
  readonly #source: LogSource;
  readonly #onEvents: (events: readonly NumberedEvent[]) => void;
  #isOpen = false;
  /** The newest number that was pushed. */
  #pushed = 0;
  #repairing: Promise<void> | undefined;
  #listening: Promise<() => Promise<void>> | undefined;

  // oxlint-disable-next-line max-params -- where it stands, what it follows, where it reads, whom it tells
  constructor(kernel: Kernel, tenant: Tenant, source: LogSource, onEvents: (events: readonly NumberedEvent[]) => void) {
    this.#kernel = kernel;
    this.#tenant = tenant;
    this.#source = source;
    this.#onEvents = onEvents;
  }

  /** Listens first and reads then, so that nothing falls between. */
  async open(): Promise<void> {
    this.#listening ??= this.#kernel.channel.listen(eventChannel(this.#tenant), {
      receive: (message) => this.#receive(message),
      resumed: () => void this.repair(),
    });
    // Without Redis there are no pushes, but perhaps a source; the subscription stands as soon as Redis is back.
    await withDeadline('subscribing', this.#kernel.settings.redisDeadlineMs, this.#listening).catch(() => {});
    this.head = await this.#source.head();
    this.#isOpen = true;
    await this.compare(this.#pushed);
  }

  async close(): Promise<void> {
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

  #receive(message: string): void {
    const row = decodeRow(message);
    // A version that this release does not know: the source says how far it goes, and skips it.
    if (!row) return void (this.#isOpen && this.repair());
    this.#pushed = Math.max(this.#pushed, row.number);
    if (row.number <= this.head || !this.#isOpen) return;
    const events = row.number - row.events <= this.head ? decodeEvents(row) : undefined;
    if (events) this.#append(events.filter(({ number }) => number > this.head));
    else void this.repair();
  }

  #append(events: readonly NumberedEvent[]): void {
    this.head = events.at(-1)!.number;
    this.#onEvents(events);
  }
}
