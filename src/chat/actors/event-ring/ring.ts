/**
 * The recent end of one organisation's log in this node's memory. Entries arrive by push; a missing number is read from
 * Redis at once, and because the last push may be the one that was lost, the head is compared every now and then.
 */
import { redisKey, type Tenant } from '../../../kernel/actor/address';
import { eventChannel, eventLog } from '../../../kernel/event-log/event-log';
import type { Kernel } from '../../../kernel/kernel';
import { Entry } from './entry';

const PAGE = 500;
const MOST_BYTES = 64 * 1024 * 1024;
const COMPARE_MS = 2000;

export class Ring {
  /** Everything after this number, up to the head, is here. */
  floor = 0;
  head = 0;
  readonly #kernel: Kernel;
  readonly #key: string;
  readonly #tenant: Tenant;
  readonly #onEntries: (entries: readonly Entry[]) => void;
  #entries: Entry[] = [];
  #bytes = 0;
  #repairing: Promise<void> | undefined;
  #stopListening: (() => Promise<void>) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(kernel: Kernel, tenant: Tenant, onEntries: (entries: readonly Entry[]) => void) {
    this.#kernel = kernel;
    this.#tenant = tenant;
    this.#key = redisKey(kernel.namespace, { tenant, kind: eventLog.kind, id: '' });
    this.#onEntries = onEntries;
  }

  /** Listens first and reads then, so that nothing falls between. */
  async open(): Promise<void> {
    this.#stopListening = await this.#kernel.channel.listen(eventChannel(this.#tenant), {
      receive: (message) => this.#receive(message),
      resumed: () => void this.repair(),
    });
    this.floor = this.head = await this.headInRedis();
    this.#timer = setInterval(() => void this.#compare(), COMPARE_MS * (0.75 + Math.random() / 2));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#stopListening?.();
  }

  /** Entries after the number, oldest first; only for numbers at or above the floor. */
  after(number: number): readonly Entry[] {
    const first = this.#entries[0]?.number ?? this.head + 1;
    return this.#entries.slice(Math.max(0, number + 1 - first));
  }

  /** Entries that memory no longer or not yet holds, a page at a time; undefined where Redis has forgotten some. */
  async readAfter(number: number): Promise<Entry[] | undefined> {
    const rows = await this.#kernel.redis.commands.xrange(`${this.#key}:entries`, number + 1, '+', 'COUNT', PAGE);
    const entries = rows.map(([id, fields]) => new Entry(Number(id.split('-')[0]), fields[1]!, Date.now()));
    const first = entries[0]?.number ?? (await this.headInRedis()) + 1;
    return first > number + 1 ? undefined : entries;
  }

  async headInRedis(): Promise<number> {
    return Number((await this.#kernel.redis.commands.get(this.#key)) ?? 0);
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
      const rows = await this.#kernel.redis.commands.xrange(`${this.#key}:entries`, this.head + 1, '+', 'COUNT', PAGE);
      const entries = rows.map(([id, fields]) => new Entry(Number(id.split('-')[0]), fields[1]!, Date.now()));
      this.#append(entries.filter(({ number }) => number > this.head));
      if (rows.length < PAGE) return;
    }
  }

  async #compare(): Promise<void> {
    try {
      if ((await this.headInRedis()) > this.head) await this.repair();
    } catch (error) {
      this.#kernel.log.debug({ error }, 'could not compare the log; trying again');
    }
  }

  #receive(message: string): void {
    const blank = message.indexOf(' ');
    const number = Number(message.slice(0, blank));
    if (number <= this.head) return;
    if (number === this.head + 1) this.#append([new Entry(number, message.slice(blank + 1), Date.now())]);
    else void this.repair();
  }

  #append(entries: readonly Entry[]): void {
    for (const entry of entries) {
      // The log itself jumped: who stands before the jump has missed something for good.
      if (entry.number > this.head + 1) {
        this.#entries = [];
        this.#bytes = 0;
        this.floor = entry.number - 1;
      }
      this.#entries.push(entry);
      this.#bytes += entry.bytes;
      this.head = entry.number;
    }
    this.#forget();
    if (entries.length > 0) this.#onEntries(entries);
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
