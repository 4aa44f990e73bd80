/** One organisation's polls on this node: its recent events, the polls that wait for more, and news of its queues. */
import type { Kernel } from '../../../kernel/kernel';
import { channelName } from '../../../kernel/redis/channel';
import { readPush, writePush } from '../../../kernel/versions';
import type { ChangedUsers } from '../../caches/changed-users';
import { forgetChanged, type CallerCache } from '../../caches/caller-cache';
import { eventDelivery } from '../../model/events/event';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import { CHANGES_OF_USERS } from '../../model/users/user-events';
import type { QueueCache } from '../event-queue/queue-cache';
import type { Entry } from './entry';
import { WaitingPolls, type WaitingPoll } from './waiting-polls';
import { RecentEventBuffer } from './recent-event-buffer';

/** Polls that begin within this time are announced to the other nodes together. */
const ANNOUNCE_MS = 100;
/** A queue that is polled here again and again is announced again only after this time. */
const ANNOUNCE_AGAIN_MS = 5000;
const BEAT_MS = 250;
/** One tick serves every queue of the organisation for this long. */
const TICK_MS = 1000;

/** What nodes tell each other of queues: who took them over, and which have ended. */
interface QueueNews {
  readonly node: string;
  /** With the time at which each was taken: the news may arrive after the client has moved on again. */
  readonly taken?: readonly (readonly [string, number])[];
  readonly ended?: readonly string[];
}

export interface RealmPollsParts {
  readonly kernel: Kernel;
  readonly queues: QueueCache;
  readonly callers: CallerCache;
  readonly changedUsers: ChangedUsers;
  /** A number that no polls of this node have had before. */
  nextGeneration(): number;
}

export class RealmPolls {
  readonly recentEvents: RecentEventBuffer;
  readonly waitingPolls = new WaitingPolls();
  /** Changes whenever queues may have ended without this node hearing of it. */
  generation: number;
  isOpen = false;
  #isClosed = false;
  /** When a request last needed these polls. */
  usedAt = Date.now();
  readonly #parts: RealmPollsParts;
  readonly #kernel: Kernel;
  readonly #realmId: RealmId;
  readonly #node = `${process.pid}-${Math.random()}`;
  #taken: [string, number][] = [];
  #tickedAt = 0;
  #beating: NodeJS.Timeout | undefined;
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
      // The clients ask again, and are told to begin anew.
      jumped: (floor) => this.waitingPolls.endAll({ kind: 'released' }, floor),
      deliver: (entries) => this.waitingPolls.deliver(entries),
    });
  }

  /** Before anything new is handed out: users who lost access, or have a new key, have to show it again. */
  #judge(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (!CHANGES_OF_USERS.has(entry.type)) continue;
      const ended = forgetChanged(this.#parts, this.#realmId, entry);
      if (ended === 'everybody') this.waitingPolls.endAllWith(this.recentEvents.undelivered);
      else if (ended !== undefined) this.waitingPolls.endUser(ended, { kind: 'released' });
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
    await this.recentEvents.open();
    // Closed while they were being opened, as by a drain: a poll is answered with what there is, and does not wait.
    if (this.#isClosed) return this.#release();
    this.#parts.callers.follow(this.#realmId, () => this.recentEvents.isCurrent);
    this.#parts.changedUsers.follow(this.#realmId);
    this.isOpen = true;
    this.#beating = setInterval(() => this.#beat(), BEAT_MS);
  }

  /** Ends the timers, the subscriptions and the recent events. A poll that still waits is answered with nothing. */
  async close(): Promise<void> {
    if (this.isOpen) {
      this.#parts.callers.unfollow(this.#realmId);
      this.#parts.changedUsers.unfollow(this.#realmId);
    }
    this.isOpen = false;
    this.#isClosed = true;
    clearInterval(this.#beating);
    clearTimeout(this.#announcing);
    this.waitingPolls.endAll({ kind: 'released' });
    await this.#release();
  }

  async #release(): Promise<void> {
    await Promise.all([this.#unlisten?.(), this.recentEvents.close()]);
  }

  /** Redis was away: queues may be gone with it. Every client asks again, and is told. */
  #doubt(): void {
    this.generation = this.#parts.nextGeneration();
    this.waitingPolls.endAll({ kind: 'released' });
  }

  wait(poll: WaitingPoll): void {
    // Closed while the poll was on its way here: the client comes back, and these polls are opened anew.
    if (!this.isOpen) return poll.end({ kind: 'released' });
    this.waitingPolls.add(poll);
    const { queue, since } = poll;
    if (since - queue.announcedAt < ANNOUNCE_AGAIN_MS) return;
    queue.announcedAt = since;
    this.#taken.push([queue.id, since]);
    if (this.#taken.length === 1) this.#announcing = setTimeout(() => this.#announce(), ANNOUNCE_MS);
  }

  /** Tells every node, this one too, that a queue is no more. */
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
    // Of a later release: which queues it is about is unknown.
    if (!news) return this.#doubt();
    const { node, taken = [], ended = [] } = news;
    if (node === this.#node) return;
    for (const [id, since] of taken) {
      this.#parts.queues.passOn(id);
      this.waitingPolls.end(id, { kind: 'released' }, since);
    }
    for (const id of ended) {
      this.#parts.queues.delete(id);
      this.waitingPolls.end(id, { kind: 'gone' });
    }
  }

  /** A poll elsewhere on the same queue ends ours: a client waits in one place. */
  #announce(): void {
    const taken = this.#taken;
    this.#taken = [];
    this.#publish({ node: this.#node, taken }).catch((error: Error) =>
      this.#kernel.log.debug({ error }, 'could not announce polls'),
    );
  }

  #beat(): void {
    const now = Date.now();
    if (!this.waitingPolls.beat(now, this.recentEvents.head) || now - this.#tickedAt < TICK_MS) return;
    this.#tickedAt = now;
    // A heartbeat needs a number of its own, and only the organisation's counter gives numbers.
    this.#kernel
      .transaction((tx) => Promise.resolve(tx.deliver(eventDelivery(this.#realmId, [], { type: 'tick' }))))
      .catch((error: Error) => this.#kernel.log.debug({ error }, 'could not tick; trying again'));
  }
}
