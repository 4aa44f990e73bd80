/**
 * The recent-event buffer: the newest part of one organisation's log, and of the events beside it, in this node's
 * memory. The kernel's follower delivers each event once and in order. Because the last push may be lost, the head is
 * compared with Redis periodically.
 */
import type { Tenant } from '../../../kernel/actor/address';
import { LogFollower, type FollowedEvent, type LogSource } from '../../../kernel/event-log/follower';
import { numberAt, positionOf } from '../../../kernel/event-log/position';
import { lastBeside, logInRedis } from '../../../kernel/event-log/sources';
import type { Kernel } from '../../../kernel/kernel';
import type { Keyspace } from '../../../kernel/redis/connections';
import { Entry } from './entry';

type Parts = Keyspace & Pick<Kernel, 'channel' | 'log' | 'settings'>;

const MAX_BYTES = 64 * 1024 * 1024;
/** Without a comparison for this long, events may have been missed. */
const CURRENT_MS = 5000;

const entryOf = (event: FollowedEvent): Entry => new Entry(event, Date.now());

export interface BufferListener {
  /** Called at once, before any poll can receive the new entries. */
  arrived(entries: readonly Entry[]): void;
  /** Called before `arrived`: no entry between the head and this position will ever arrive. */
  jumped(floor: number): void;
  /** Called a microtask later, with all entries that arrived together. */
  deliver(entries: readonly Entry[]): void;
}

export class RecentEventBuffer {
  /** The buffer holds every entry after this position, up to the head. */
  floor = 0;
  head = 0;
  readonly #kernel: Keyspace & Pick<Kernel, 'log' | 'settings'>;
  readonly #tenant: Tenant;
  readonly #log: LogSource;
  readonly #follower: LogFollower;
  readonly #listener: BufferListener;
  #entries: Entry[] = [];
  #bytes = 0;
  #undelivered: Entry[] = [];
  #comparedAt = 0;
  /** When Redis was last unreachable; never is long ago. */
  #interruptedAt = -Infinity;

  constructor(kernel: Parts, tenant: Tenant, listener: BufferListener) {
    this.#kernel = kernel;
    this.#tenant = tenant;
    this.#log = logInRedis(kernel, tenant);
    this.#follower = new LogFollower(kernel, this.#log, (events) => this.#append(events.map(entryOf)));
    this.#listener = listener;
  }

  async open(): Promise<void> {
    await this.#follower.open();
    this.floor = this.head = positionOf(this.#follower.head);
    this.#comparedAt = Date.now();
  }

  close(): Promise<void> {
    return this.#follower.close();
  }

  /** Whether the buffer certainly holds everything published until a few seconds ago. */
  get isCurrent(): boolean {
    return Date.now() - this.#comparedAt < CURRENT_MS;
  }

  /** Entries after the position, oldest first. The position must not be below the floor. */
  after(position: number): readonly Entry[] {
    // Nearly always the reader lacks the last few only.
    let start = this.#entries.length;
    while (start > 0 && this.#entries[start - 1]!.position > position) start -= 1;
    return this.#entries.slice(start);
  }

  /** Reads a page of entries from Redis, for those not in the buffer; undefined if Redis has dropped some. */
  async readAfter(position: number): Promise<Entry[] | undefined> {
    const number = numberAt(position);
    const { events } = await this.#log.after(number);
    const entries = events.map(entryOf);
    const first = entries[0]?.number ?? (await this.headInRedis()) + 1;
    return first > number + 1 ? undefined : entries;
  }

  /** The number of the last event in Redis. */
  headInRedis(): Promise<number> {
    return this.#log.head();
  }

  /** Whether any node can have delivered an event at this position. This node may be behind the others. */
  async hasReached(position: number): Promise<boolean> {
    if (position <= this.head) return true;
    const [head, beside] = await Promise.all([this.headInRedis(), lastBeside(this.#kernel, this.#tenant)]);
    if (position <= Math.max(positionOf(head), beside)) return true;
    // A Redis that was away may have lost the last events beside the log, which clients have seen.
    return numberAt(position) <= head && Date.now() - this.#interruptedAt < this.#kernel.settings.eventLogWindowMs;
  }

  /** Entries that have arrived but are not yet published to the polls. */
  get undelivered(): readonly Entry[] {
    return this.#undelivered;
  }

  /** Redis was away. */
  interrupted(): void {
    this.#interruptedAt = Date.now();
  }

  /** Reads what the last pushes may have missed, by the number of the last event that Redis had at this time. */
  async compare(headInRedis: number, at: number): Promise<void> {
    await this.#follower.compare(headInRedis);
    this.#comparedAt = at;
  }

  #append(entries: readonly Entry[]): void {
    for (const entry of entries) {
      // The log itself has a gap: a client before the gap has lost events for good.
      if (entry.number > numberAt(this.head) + 1) {
        this.#entries = [];
        this.#bytes = 0;
        this.floor = positionOf(entry.number - 1);
        this.#listener.jumped(this.floor);
      }
      this.#entries.push(entry);
      this.#bytes += entry.bytes;
      this.head = entry.position;
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
    this.floor = this.#entries[count - 1]!.position;
    this.#entries = this.#entries.slice(count);
    this.#bytes = bytes;
  }
}
