/** One organisation's polls on this node: its recent-event buffer, its waiting polls, and news of its queues. */
import type { Kernel } from '../../../kernel/kernel';
import { channelName } from '../../../kernel/redis/channel';
import { readPush, writePush } from '../../../kernel/jobs/versions';
import type { Keyspace } from '../../../kernel/redis/connections';
import type { ChangedUsers } from '../../caches/changed-users';
import { forgetChanged, type CallerCache } from '../../caches/caller-cache';
import type { Outdating } from '../../caches/followed-reads';
import { entryOf } from '../../model/events/event';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import { CHANGES_OF_USERS } from '../../model/users/user-events';
import type { QueueCache } from '../event-queue/queue-cache';
import type { Entry } from './entry';
import { WaitingClients, type WaitingClient } from './waiting-clients';
import { RecentEventBuffer } from './recent-event-buffer';

/** Polls that begin within this time are announced to the other nodes in one message. */
const ANNOUNCE_MS = 100;
/** A queue that is polled here repeatedly is announced again only after this time. */
const ANNOUNCE_AGAIN_MS = 5000;
/** A tick gives every queue of the organisation a position for its heartbeat, for this long. */
const TICK_MS = 1000;

/** What nodes publish about queues: which were taken over, and which have ended. */
interface QueueNews {
  readonly node: string;
  /** Pairs of queue id and the time it was taken. The client may have moved on before the news arrives. */
  readonly taken?: readonly (readonly [string, number])[];
  readonly ended?: readonly string[];
}

export interface RealmPollsParts {
  readonly kernel: Keyspace & Pick<Kernel, 'channel' | 'ephemera' | 'lifecycle' | 'log' | 'settings'>;
  readonly queues: QueueCache;
  readonly callers: CallerCache;
  readonly changedUsers: ChangedUsers;
  readonly followedReads: readonly Outdating[];
  /** Returns a number that was not used before on this node. */
  nextGeneration(): number;
}

export class RealmPolls {
  readonly recentEvents: RecentEventBuffer;
  readonly waitingClients = new WaitingClients();
  /** Changes whenever queues may have ended without notice to this node. */
  generation: number;
  isOpen = false;
  #isClosed = false;
  /** When a request last used these polls. */
  usedAt = Date.now();
  readonly #parts: RealmPollsParts;
  readonly #kernel: Keyspace & Pick<Kernel, 'channel' | 'ephemera' | 'log'>;
  readonly #realmId: RealmId;
  readonly #node = `${process.pid}-${Math.random()}`;
  #taken: [string, number][] = [];
  #tickedAt = 0;
  #announcing: NodeJS.Timeout | undefined;
  #opening: Promise<void> | undefined;
  #unlisten: (() => Promise<void>) | undefined;

  constructor(parts: RealmPollsParts, realmId: RealmId) {
    this.#parts = parts;
    this.#kernel = parts.kernel;
    this.#realmId = realmId;
    this.generation = parts.nextGeneration();
    this.recentEvents = new RecentEventBuffer(parts.kernel, realmTenant(realmId), {
      arrived: (entries) => this.#judge(entries),
      // The clients poll again, and learn that they must register again.
      jumped: (floor) => this.waitingClients.endAll('released', floor),
      deliver: (entries) => this.waitingClients.deliver(entries),
    });
  }

  /** Runs before new entries are delivered. Users who lost access or got a new key must authenticate again. */
  #judge(entries: readonly Entry[]): void {
    for (const entry of entries) {
      for (const each of this.#parts.followedReads) if (each.changes.has(entry.type)) each.delete(this.#realmId);
      if (!CHANGES_OF_USERS.has(entry.type)) continue;
      const ended = forgetChanged(this.#parts, this.#realmId, entry);
      if (ended === 'everybody') this.waitingClients.endAllWith(this.recentEvents.undelivered);
      else if (ended !== undefined) this.waitingClients.endUser(ended, 'released');
    }
  }

  open(): Promise<void> {
    this.#opening ??= this.#open().catch((error: Error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<void> {
    this.#unlisten ??= await this.#kernel.channel.listen(this.#newsChannel, {
      receive: (news) => this.#hear(news),
      resumed: () => this.#doubt(),
    });
    // Redis may be empty. Events beside the log need a log.
    if ((await this.recentEvents.headInRedis()) === 0) await this.#kernel.ephemera.begin(realmTenant(this.#realmId));
    await this.recentEvents.open();
    // Closed while opening, for example by a drain. A poll is then answered with what is available and does not wait.
    if (this.#isClosed) return this.#release();
    this.#parts.callers.follow(this.#realmId, () => this.recentEvents.isCurrent);
    this.#parts.changedUsers.follow(this.#realmId);
    this.isOpen = true;
  }

  /** Stops the subscriptions and the event buffer. Polls that still wait get an empty answer. */
  async close(): Promise<void> {
    if (this.isOpen) {
      this.#parts.callers.unfollow(this.#realmId);
      this.#parts.changedUsers.unfollow(this.#realmId);
    }
    this.isOpen = false;
    this.#isClosed = true;
    clearTimeout(this.#announcing);
    this.waitingClients.endAll('released');
    await this.#release();
  }

  async #release(): Promise<void> {
    await Promise.all([this.#unlisten?.(), this.recentEvents.close()]);
  }

  /** Redis was away, so queues may be lost. Every client polls again and finds out. */
  #doubt(): void {
    this.generation = this.#parts.nextGeneration();
    this.recentEvents.interrupted();
    this.waitingClients.endAll('released');
  }

  wait(poll: WaitingClient): void {
    // Closed while the poll was on its way. The client polls again, which reopens the organisation.
    if (!this.isOpen) return poll.end('released');
    this.waitingClients.add(poll);
    const { queue, since } = poll;
    if (since - queue.announcedAt < ANNOUNCE_AGAIN_MS) return;
    queue.announcedAt = since;
    this.#taken.push([queue.id, since]);
    if (this.#taken.length === 1) this.#announcing = setTimeout(() => this.#announce(), ANNOUNCE_MS);
  }

  /** Publishes to every node, including this one, that queues have ended. */
  async announceEnd(queueIds: readonly string[]): Promise<void> {
    await this.#publish({ node: '', ended: queueIds });
  }

  get #newsChannel(): string {
    return `queues:${realmTenant(this.#realmId)}`;
  }

  async #publish(news: QueueNews): Promise<void> {
    await this.#kernel.redis.commands.publish(channelName(this.#kernel.namespace, this.#newsChannel), writePush(news));
  }

  #hear(message: string): void {
    const news = readPush<QueueNews>(message);
    // The message is from a later release, so the affected queues are unknown.
    if (!news) return this.#doubt();
    const { node, taken = [], ended = [] } = news;
    if (node === this.#node) return;
    for (const [id, since] of taken) {
      this.#parts.queues.passOn(id);
      this.waitingClients.end(id, 'released', since);
    }
    for (const id of ended) {
      this.#parts.queues.delete(id);
      this.waitingClients.end(id, 'gone');
    }
  }

  /** Each node that receives this ends its own poll on the same queue: a client waits in one place only. */
  #announce(): void {
    const taken = this.#taken;
    this.#taken = [];
    this.#publish({ node: this.#node, taken }).catch((error: Error) =>
      this.#kernel.log.debug({ error }, 'could not announce the polls of an organisation to other nodes'),
    );
  }

  /** Sends heartbeats that are due. */
  beat(now: number): void {
    const exceed = this.waitingClients.beat(now, this.recentEvents.head);
    if (exceed === 0 || now - this.#tickedAt < TICK_MS) return;
    this.#tickedAt = now;
    void this.#kernel.ephemera.push(realmTenant(this.#realmId), entryOf([], { type: 'tick' }), exceed);
  }
}
