/** The organisations whose events this node follows: opened by their first request, closed when idle. */
import { sleep } from '../../../kernel/deadline';
import { headsInRedis } from '../../../kernel/event-log/sources';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import { RealmPolls, type RealmPollsParts } from './realm-polls';

/**
 * Longer than any client's pause between polls, so only organisations without clients are closed. A client that returns
 * later reads the missed events from Redis, as on any other node.
 */
const IDLE_MS = 120_000;

/** One timer each for all organisations: thousands of timers would cost an idle node more than their work. */
const BEAT_MS = 250;
const COMPARE_MS = 2000;
/** Redis reads this many keys within a fraction of a millisecond. */
const COMPARED_AT_ONCE = 500;

/** Of the end of streams in a drain: three seconds in all if there are many. */
const STEPS = 30;
const STEP_MS = 100;
const MIN_A_STEP = 50;

export class OpenRealms {
  readonly #parts: RealmPollsParts;
  readonly #idleMs: number;
  readonly #realms = new Map<RealmId, RealmPolls>();
  readonly #closing = new Set<Promise<void>>();
  #generations = 0;
  #sweeping: NodeJS.Timeout | undefined;
  #beating: NodeJS.Timeout | undefined;
  #comparing: NodeJS.Timeout | undefined;

  constructor(parts: Omit<RealmPollsParts, 'nextGeneration'>, idleMs = IDLE_MS) {
    const { kernel, queues, callers, changedUsers, followedReads } = parts;
    const nextGeneration = () => (this.#generations += 1);
    this.#parts = { kernel, queues, callers, changedUsers, followedReads, nextGeneration };
    this.#idleMs = idleMs;
    kernel.lifecycle.draining.addEventListener('abort', () => {
      for (const { waitingClients } of this.#realms.values()) waitingClients.endPolls();
    });
    kernel.lifecycle.on('requests', 'polls', async () => {
      await this.#endStreams();
      this.#stopTimers();
      for (const realmId of this.#realms.keys()) this.#close(realmId);
      await Promise.all(this.#closing);
    });
  }

  async open(realmId: RealmId): Promise<RealmPolls> {
    let polls = this.#realms.get(realmId);
    if (!polls) this.#realms.set(realmId, (polls = new RealmPolls(this.#parts, realmId)));
    polls.usedAt = Date.now();
    this.#startTimers();
    await polls.open();
    return polls;
  }

  /** Returns the organisation's polls synchronously, if they are open. */
  getOpen(realmId: RealmId): RealmPolls | undefined {
    const polls = this.#realms.get(realmId);
    if (polls?.isOpen !== true) return undefined;
    polls.usedAt = Date.now();
    return polls;
  }

  /** Keeps the organisation open for a request that relies on its events but does not poll. */
  noteUse(realmId: RealmId): void {
    this.getOpen(realmId);
  }

  /** Number of organisations that this node follows. */
  get size(): number {
    return this.#realms.size;
  }

  /** Number of polls and streams that wait on this node. */
  get waiting(): number {
    return [...this.#realms.values()].reduce((sum, { waitingClients }) => sum + waitingClients.size, 0);
  }

  /** Over some time, so that their clients do not all connect to another node at the same moment. */
  async #endStreams(): Promise<void> {
    const ends = [...this.#realms.values()].flatMap(({ waitingClients }) => waitingClients.streamEnds());
    const most = Math.max(MIN_A_STEP, Math.ceil(ends.length / STEPS));
    for (let next = 0; next < ends.length; next += most) {
      for (const end of ends.slice(next, next + most)) end();
      if (next + most < ends.length) await sleep(STEP_MS);
    }
  }

  #startTimers(): void {
    this.#sweeping ??= setInterval(() => this.#sweep(), this.#idleMs / 2).unref();
    this.#beating ??= setInterval(() => this.#beat(), BEAT_MS);
    this.#comparing ??= setInterval(() => void this.#compare(), COMPARE_MS * (0.75 + Math.random() / 2));
  }

  #stopTimers(): void {
    for (const timer of [this.#sweeping, this.#beating, this.#comparing]) clearInterval(timer);
    this.#sweeping = this.#beating = this.#comparing = undefined;
  }

  #beat(): void {
    const now = Date.now();
    for (const polls of this.#realms.values()) if (polls.isOpen) polls.beat(now);
  }

  /** The last push may be lost, so the heads of the logs are compared with Redis. */
  async #compare(): Promise<void> {
    const { kernel } = this.#parts;
    const open = [...this.#realms].filter(([, { isOpen }]) => isOpen);
    const tenants = open.map(([id]) => realmTenant(id));
    for (let from = 0; from < open.length; from += COMPARED_AT_ONCE) {
      const at = Date.now();
      try {
        const heads = await headsInRedis(kernel, tenants.slice(from, from + COMPARED_AT_ONCE));
        // Reading what one organisation has missed does not hold up the others.
        for (const [index, head] of heads.entries()) void open[from + index]![1].recentEvents.compare(head, at);
      } catch (error) {
        kernel.log.debug({ error }, 'could not compare the event logs with Redis; trying again');
      }
    }
  }

  #sweep(): void {
    const now = Date.now();
    for (const [realmId, polls] of this.#realms) {
      if (polls.waitingClients.size > 0) polls.usedAt = now;
      else if (now - polls.usedAt > this.#idleMs) this.#close(realmId);
    }
    if (this.#realms.size === 0) this.#stopTimers();
  }

  /** After this, the next request opens the organisation again under a new generation. */
  #close(realmId: RealmId): void {
    const polls = this.#realms.get(realmId)!;
    this.#realms.delete(realmId);
    const closed = polls
      .close()
      .catch((error: Error) => this.#parts.kernel.log.debug({ error }, 'could not close an organisation'))
      .finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }
}
