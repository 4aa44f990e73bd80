/** Polls that wait on this node, one per queue, found by user when an event arrives and by time when a heartbeat is due. */
import type { Hearer } from '../../model/audience';
import type { QueueFilters } from '../../model/queue';
import type { UserId } from '../../model/user';
import type { Entry } from './entry';

export interface PolledQueue {
  readonly id: string;
  readonly base: number;
  readonly filters: QueueFilters;
}

/** How a poll ends. */
export type Ending =
  /** About bots among them: they lack what is put in as they leave. */
  | { readonly kind: 'events'; readonly events: string[]; readonly isAboutBots: boolean }
  | { readonly kind: 'heartbeat'; readonly number: number }
  /** Another poll took over, the node drains, or the client left. */
  | { readonly kind: 'released' }
  | { readonly kind: 'gone' };

export interface ParkedPoll {
  readonly queue: PolledQueue;
  readonly user: Hearer;
  /** Everything up to here has been looked at for this queue. */
  readonly cursor: number;
  readonly since: number;
  /** When a heartbeat is due. */
  readonly due: number;
  end(ending: Ending): void;
}

export class ParkedPolls {
  readonly #byQueue = new Map<string, ParkedPoll>();
  readonly #byUser = new Map<UserId, Set<ParkedPoll>>();
  /** Those who may hear of messages they are not addressed by. */
  readonly #overhearing = new Set<ParkedPoll>();

  get size(): number {
    return this.#byQueue.size;
  }

  add(poll: ParkedPoll): void {
    this.end(poll.queue.id, { kind: 'released' });
    this.#byQueue.set(poll.queue.id, poll);
    const own = this.#byUser.get(poll.user.id);
    if (own) own.add(poll);
    else this.#byUser.set(poll.user.id, new Set([poll]));
    const { allPublicStreams, narrow } = poll.queue.filters;
    if (allPublicStreams || narrow.length > 0) this.#overhearing.add(poll);
  }

  /** Takes a poll out, if it is still this one that waits. */
  remove(poll: ParkedPoll): void {
    if (this.#byQueue.get(poll.queue.id) !== poll) return;
    this.#byQueue.delete(poll.queue.id);
    this.#overhearing.delete(poll);
    const own = this.#byUser.get(poll.user.id);
    own?.delete(poll);
    if (own?.size === 0) this.#byUser.delete(poll.user.id);
  }

  /** Ends the poll that waits on a queue, unless it began only after the given time. */
  end(queueId: string, ending: Ending, before = Infinity): void {
    const poll = this.#byQueue.get(queueId);
    if (!poll || poll.since >= before) return;
    this.remove(poll);
    poll.end(ending);
  }

  endUser(userId: UserId, ending: Ending): void {
    for (const poll of this.#byUser.get(userId) ?? []) this.end(poll.queue.id, ending);
  }

  endAll(ending: Ending): void {
    for (const queueId of this.#byQueue.keys()) this.end(queueId, ending);
  }

  /** Answers everyone whom one of these entries is for: once each, with all of them. */
  deliver(entries: readonly Entry[]): void {
    const isAboutBots = entries.some(({ isAboutBot }) => isAboutBot);
    const told = new Map<ParkedPoll, string[]>();
    for (const entry of entries) {
      for (const poll of this.#candidates(entry)) {
        const event = entry.number > poll.cursor ? entry.render(poll.queue, poll.user) : null;
        if (event === null) continue;
        const events = told.get(poll);
        if (events) events.push(event);
        else told.set(poll, [event]);
      }
    }
    for (const [poll, events] of told) {
      this.remove(poll);
      poll.end({ kind: 'events', events, isAboutBots });
    }
  }

  /** The smaller side is walked: the few who are addressed, or everyone who waits. */
  *#candidates(entry: Entry): Iterable<ParkedPoll> {
    const { to, message } = entry.head;
    if (Array.isArray(to)) {
      for (const id of to as UserId[]) yield* this.#byUser.get(id) ?? [];
      if (!message?.isPublic) return;
      for (const poll of this.#overhearing) if (!(to as number[]).includes(poll.user.id)) yield poll;
    } else yield* this.#byQueue.values();
  }

  /** Gives a heartbeat to whoever has waited long enough, if there is a number for it; says whether one is lacking. */
  beat(now: number, head: number): boolean {
    let isLacking = false;
    for (const poll of this.#byQueue.values()) {
      if (poll.due > now) continue;
      if (head <= poll.cursor) isLacking = true;
      else {
        this.remove(poll);
        poll.end({ kind: 'heartbeat', number: head });
      }
    }
    return isLacking;
  }
}
