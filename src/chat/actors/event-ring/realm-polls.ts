/** One organisation's polls on this node: its ring, those who wait on it, and word from other nodes about its queues. */
import type { Kernel } from '../../../kernel/kernel';
import { perKernel } from '../../../kernel/per-kernel';
import { channelName } from '../../../kernel/redis/channel';
import { tell } from '../../model/event';
import { realmTenant, type RealmId } from '../../model/realm';
import { CHANGES_OF_USERS, changedUser, REVOCATION } from '../../model/user-events';
import { forgetQueue, passOnQueue } from '../event-queue/known-queues';
import { changedUsers } from '../changed-users';
import { recentCallers } from '../recent-callers';
import type { Entry } from './entry';
import { ParkedPolls, type ParkedPoll } from './parked';
import { Ring } from './ring';

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
  /** With the time at which each was taken: the word may arrive after the client has moved on again. */
  readonly taken?: readonly (readonly [string, number])[];
  readonly ended?: readonly string[];
}

export class RealmPolls {
  readonly ring: Ring;
  readonly parked = new ParkedPolls();
  /** How often it became uncertain which queues still exist. */
  doubts = 0;
  isOpen = false;
  readonly #kernel: Kernel;
  readonly #realmId: RealmId;
  readonly #node = `${process.pid}-${Math.random()}`;
  #taken: [string, number][] = [];
  #tickedAt = 0;
  #beating: NodeJS.Timeout | undefined;
  #announcing: NodeJS.Timeout | undefined;
  #opening: Promise<void> | undefined;

  constructor(kernel: Kernel, realmId: RealmId) {
    this.#kernel = kernel;
    this.#realmId = realmId;
    this.ring = new Ring(kernel, realmTenant(realmId), {
      arrived: (entries) => this.#judge(entries),
      told: (entries) => this.parked.deliver(entries),
    });
  }

  /** Before anything new is handed out: whoever lost access, or has a new key, has to show it again. */
  #judge(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (!CHANGES_OF_USERS.has(entry.type)) continue;
      const userId = changedUser(entry.payload);
      recentCallers(this.#kernel).forget(userId);
      if (entry.type !== REVOCATION) continue;
      changedUsers(this.#kernel).changed(userId);
      this.parked.endUser(userId, { kind: 'released' });
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
    await this.#kernel.channel.listen(this.#newsChannel, {
      receive: (news) => this.#hear(news),
      resumed: () => this.#doubt(),
    });
    await this.ring.open();
    recentCallers(this.#kernel).hear(this.#realmId, () => this.ring.isCurrent);
    changedUsers(this.#kernel).hear(this.#realmId);
    this.isOpen = true;
    this.#beating = setInterval(() => this.#beat(), BEAT_MS);
    this.#kernel.lifecycle.draining.addEventListener('abort', () => this.parked.endAll({ kind: 'released' }));
    this.#kernel.lifecycle.on('requests', `polls of ${this.#realmId}`, async () => {
      clearInterval(this.#beating);
      clearTimeout(this.#announcing);
      await this.ring.close();
    });
  }

  /** Redis was away: queues may be gone with it. Everyone asks again, and is told. */
  #doubt(): void {
    this.doubts += 1;
    this.parked.endAll({ kind: 'released' });
  }

  park(poll: ParkedPoll): void {
    this.parked.add(poll);
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
    await this.#kernel.redis.commands.publish(
      channelName(this.#kernel.namespace, this.#newsChannel),
      JSON.stringify(news),
    );
  }

  #hear(message: string): void {
    const { node, taken = [], ended = [] } = JSON.parse(message) as QueueNews;
    if (node === this.#node) return;
    for (const [id, since] of taken) {
      passOnQueue(this.#kernel, id);
      this.parked.end(id, { kind: 'released' }, since);
    }
    for (const id of ended) {
      forgetQueue(this.#kernel, id);
      this.parked.end(id, { kind: 'gone' });
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
    if (!this.parked.beat(now, this.ring.head) || now - this.#tickedAt < TICK_MS) return;
    this.#tickedAt = now;
    // A heartbeat needs a number of its own, and only the organisation's counter gives numbers.
    this.#kernel
      .transaction((tx) => Promise.resolve(tx.deliver(tell(this.#realmId, [], { type: 'tick' }))))
      .catch((error: Error) => this.#kernel.log.debug({ error }, 'could not tick; trying again'));
  }
}

const kept = perKernel(() => new Map<RealmId, RealmPolls>());

export async function realmPolls(kernel: Kernel, realmId: RealmId): Promise<RealmPolls> {
  const own = kept(kernel);
  let polls = own.get(realmId);
  if (!polls) own.set(realmId, (polls = new RealmPolls(kernel, realmId)));
  await polls.open();
  return polls;
}

/** The same at once, if they are open. */
export function openRealmPolls(kernel: Kernel, realmId: RealmId): RealmPolls | undefined {
  const polls = kept(kernel).get(realmId);
  return polls?.isOpen === true ? polls : undefined;
}

export const parkedPolls = (kernel: Kernel): number =>
  [...kept(kernel).values()].reduce((sum, { parked }) => sum + parked.size, 0);
