/**
 * The recent-event buffer: the newest part of one organisation's log, in this node's memory. The kernel's follower
 * delivers each event once and in order. Because the last push may be lost, the head is compared with Redis
 * periodically.
 */
import type { Tenant } from '../../../kernel/actor/address';
import type { NumberedEvent } from '../../../kernel/event-log/codec';
import { LogFollower, type LogSource } from '../../../kernel/event-log/follower';
import { logInRedis } from '../../../kernel/event-log/sources';
import type { Kernel } from '../../../kernel/kernel';
import type { Keyspace } from '../../../kernel/redis/connections';
import { Entry } from './entry';

type Parts = Keyspace & Pick<Kernel, 'channel' | 'log' | 'settings'>;

const MAX_BYTES = 64 * 1024 * 1024;
const COMPARE_MS = 2000;
/** Without a comparison for this long, events may have been missed. */
const CURRENT_MS = 5000;

const entryOf = ({ number, body }: NumberedEvent): Entry => new Entry(number, body, Date.now());

export interface BufferListener {
  /** Called at once, before any poll can receive the new entries. */
  arrived(entries: readonly Entry[]): void;
  /** Called before `arrived`: no entry between the head and this number will ever arrive. */
  jumped(floor: number): void;
  /** Called a microtask later, with all entries that arrived together. */
  deliver(entries: readonly Entry[]): void;
}

export class RecentEventBuffer {
  /** The buffer holds every entry after this number, up to the head. */
  floor = 0;
  head = 0;
  readonly #kernel: Pick<Kernel, 'log' | 'settings'>;
  readonly #log: LogSource;
  readonly #follower: LogFollower;
  readonly #listener: BufferListener;
  #entries: Entry[] = [];
  #bytes = 0;
  #undelivered: Entry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #comparedAt = 0;

  constructor(kernel: Parts, tenant: Tenant, listener: BufferListener) {
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

  /** Whether the buffer certainly holds everything published until a few seconds ago. */
  get isCurrent(): boolean {
    return Date.now() - this.#comparedAt < CURRENT_MS;
  }

  /** Entries after the number, oldest first. The number must not be below the floor. */
  after(number: number): readonly Entry[] {
    const first = this.#entries[0]?.number ?? this.head + 1;
    return this.#entries.slice(Math.max(0, number + 1 - first));
  }

  /** Reads a page of entries from Redis, for those not in the buffer; undefined if Redis has dropped some. */
  async readAfter(number: number): Promise<Entry[] | undefined> {
    const { events } = await this.#log.after(number);
    const entries = events.map(entryOf);
    const first = entries[0]?.number ?? (await this.headInRedis()) + 1;
    return first > number + 1 ? undefined : entries;
  }

  headInRedis(): Promise<number> {
    return this.#log.head();
  }

  /** Entries that have arrived but are not yet published to the polls. */
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
      this.#kernel.log.debug({ error }, 'could not compare the event log with Redis; trying again');
    }
  }

  #append(entries: readonly Entry[]): void {
    for (const entry of entries) {
      // The log itself has a gap: a client before the gap has lost events for good.
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

  /** Publishes entries that arrive together as one batch, so that a waiting poll is answered once with all of them. */
  #deliverSoon(entries: readonly Entry[]): void {
    this.#undelivered.push(...entries);
    if (this.#undelivered.length > entries.length) return;
    queueMicrotask(() => {
      const deliver = this.#undelivered;
      this.#undelivered = [];
      this.#listener.deliver(deliver);
    });
  }

  /** Drops entries beyond the age or size limit. Clients that need them read them from Redis. */
  #forget(): void {
    const oldest = Date.now() - this.#kernel.settings.eventLogWindowMs;
    let count = 0;
    let bytes = this.#bytes;
    while (count < this.#entries.length - 1 && (bytes > MAX_BYTES || this.#entries[count]!.at < oldest)) {
      bytes -= this.#entries[count]!.bytes;
      count += 1;
    }
    // Slicing the array is expensive; a few extra entries are not.
    if (count < 256 && bytes <= MAX_BYTES) return;
    this.floor = this.#entries[count - 1]!.number;
    this.#entries = this.#entries.slice(count);
    this.#bytes = bytes;
  }
}
