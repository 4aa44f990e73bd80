/**
 * Follows one tenant's log on this node: every event once and in order. Events arrive by push; what is missing is read
 * at once, and as the last push may be the one that was lost, whoever owns a follower tells it now and then how far the
 * log goes.
 */
import type { Tenant } from '../actor/address';
import { withDeadline } from '../deadline';
import type { Kernel } from '../kernel';
import { eventsIn } from '../mysql/outbox-rows';
import { eventChannel, rowOfText, type NumberedEvent } from './event-log';

/** Where missed events are read. */
export interface LogSource {
  head(): Promise<number>;
  /** Events after the number, oldest first, at most a page of them. */
  after(number: number): Promise<readonly NumberedEvent[]>;
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
      const read = await this.#source.after(this.head);
      const missed = read.filter(({ number }) => number > this.head);
      // Pushes may have come meanwhile, and nothing at all may have been missed.
      if (missed.length > 0) this.#append(missed);
      if (read.length === 0) return;
    }
  }

  #receive(message: string): void {
    const row = rowOfText(message);
    this.#pushed = Math.max(this.#pushed, row.number);
    if (row.number <= this.head || !this.#isOpen) return;
    if (row.number - row.events <= this.head) this.#append(eventsIn([row]).filter(({ number }) => number > this.head));
    else void this.repair();
  }

  #append(events: readonly NumberedEvent[]): void {
    this.head = events.at(-1)!.number;
    this.#onEvents(events);
  }
}
