/**
 * The recent end of one organisation's log in this node's memory. The kernel's follower brings every event once and in
 * order; because the last push may be the one that was lost, the head is compared every now and then.
 */
import type { Tenant } from '../../../kernel/actor/address';
import type { NumberedEvent } from '../../../kernel/event-log/codec';
import { LogFollower, type LogSource } from '../../../kernel/event-log/follower';
import { logInRedis } from '../../../kernel/event-log/sources';
import type { Kernel } from '../../../kernel/kernel';
import { Entry } from './entry';

const MOST_BYTES = 64 * 1024 * 1024;
const COMPARE_MS = 2000;
/** Not compared for this long, it may have missed anything. */
const CURRENT_MS = 5000;

const entryOf = ({ number, body }: NumberedEvent): Entry => new Entry(number, body, Date.now());

export interface RingListener {
  /** At once, before anybody can be handed what is new. */
  arrived(entries: readonly Entry[]): void;
  /** Before that: nothing between the head and this number will ever come. */
  jumped(floor: number): void;
  /** A moment later, together with what came in the same moment. */
  deliver(entries: readonly Entry[]): void;
}

export class RecentEventBuffer {
  /** Everything after this number, up to the head, is here. */
  floor = 0;
  head = 0;
  readonly #kernel: Kernel;
  readonly #log: LogSource;
  readonly #follower: LogFollower;
  readonly #listener: RingListener;
  #entries: Entry[] = [];
  #bytes = 0;
  #undelivered: Entry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #comparedAt = 0;

  constructor(kernel: Kernel, tenant: Tenant, listener: RingListener) {
    this.#kernel = kernel;
    this.#log = logInRedis(kernel, tenant);
    this.#follower = new LogFollower(kernel, this.#log, (events) => this.#append(events.map(entryOf)));
    this.#listener = listener;
  }

  async open(): Promise<void> {
    await this.#follower.open();
    this.floor = this.head = this.#follower.head;
    this.#comparedAt = Date.now();
    this.#timer = setInterval(() => void this.#compare(), COMPARE_MS * (0.75 + Math.random() / 2));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#follower.close();
  }

  /** Whether everything told until some seconds ago is sure to be here. */
  get isCurrent(): boolean {
    return Date.now() - this.#comparedAt < CURRENT_MS;
  }

  /** Entries after the number, oldest first; only for numbers at or above the floor. */
  after(number: number): readonly Entry[] {
    const first = this.#entries[0]?.number ?? this.head + 1;
    return this.#entries.slice(Math.max(0, number + 1 - first));
  }

  /** Entries that memory no longer or not yet holds, a page at a time; undefined where Redis has forgotten some. */
  async readAfter(number: number): Promise<Entry[] | undefined> {
    const { events } = await this.#log.after(number);
    const entries = events.map(entryOf);
    const first = entries[0]?.number ?? (await this.headInRedis()) + 1;
    return first > number + 1 ? undefined : entries;
  }

  headInRedis(): Promise<number> {
    return this.#log.head();
  }

  /** Entries that have arrived, but whose telling is still to come. */
  get undelivered(): readonly Entry[] {
    return this.#undelivered;
  }

  repair(): Promise<void> {
    return this.#follower.repair();
  }

  async #compare(): Promise<void> {
    try {
      const began = Date.now();
      await this.#follower.compare(await this.headInRedis());
      this.#comparedAt = began;
    } catch (error) {
      this.#kernel.log.debug({ error }, 'could not compare the log; trying again');
    }
  }

  #append(entries: readonly Entry[]): void {
    for (const entry of entries) {
      // The log itself jumped: who stands before the jump has missed something for good.
      if (entry.number > this.head + 1) {
        this.#entries = [];
        this.#bytes = 0;
        this.floor = entry.number - 1;
        this.#listener.jumped(this.floor);
      }
      this.#entries.push(entry);
      this.#bytes += entry.bytes;
      this.head = entry.number;
    }
    this.#forget();
    this.#deliverSoon(entries);
    this.#listener.arrived(entries);
  }

  /** What arrives in one piece is told in one piece: a client that waits is answered once, with all of it. */
  #deliverSoon(entries: readonly Entry[]): void {
    this.#undelivered.push(...entries);
    if (this.#undelivered.length > entries.length) return;
    queueMicrotask(() => {
      const deliver = this.#undelivered;
      this.#undelivered = [];
      this.#listener.deliver(deliver);
    });
  }

  /** What is too old or too much; those who need it read it from Redis. */
  #forget(): void {
    const oldest = Date.now() - this.#kernel.settings.eventLogWindowMs;
    let count = 0;
    let bytes = this.#bytes;
    while (count < this.#entries.length - 1 && (bytes > MOST_BYTES || this.#entries[count]!.at < oldest)) {
      bytes -= this.#entries[count]!.bytes;
      count += 1;
    }
    // Moving an array is dear; a little too much is not.
    if (count < 256 && bytes <= MOST_BYTES) return;
    this.floor = this.#entries[count - 1]!.number;
    this.#entries = this.#entries.slice(count);
    this.#bytes = bytes;
  }
}
