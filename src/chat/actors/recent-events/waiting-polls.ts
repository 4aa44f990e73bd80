/** The polls that wait on this node, one per queue. New events find them by user, heartbeats by due time. */
import type { AudienceMember } from '../../model/events/audience';
import { isFull, type QueueFilters } from '../../model/events/queue';
import type { UserId } from '../../model/users/user';
import type { Entry } from './entry';

export interface PolledQueue {
  readonly id: string;
  /** The position from which the ids of its events count. */
  readonly base: number;
  readonly filters: QueueFilters;
  /** When this node last announced that it polls this queue; 0 if another node has taken the queue since. */
  announcedAt: number;
}

/** How a poll ends. */
export type Ending =
  /** `last` is the position of the last event. Events about bots are completed as they are sent, hence `isAboutBots`. */
  | { readonly kind: 'events'; readonly events: string[]; readonly isAboutBots: boolean; readonly last: number }
  | { readonly kind: 'heartbeat'; readonly position: number }
  /** Another poll took over, the node is draining, or the client left. */
  | { readonly kind: 'released' }
  | { readonly kind: 'gone' };

export interface WaitingPoll {
  readonly queue: PolledQueue;
  readonly user: AudienceMember;
  /** Positions: entries up to `cursor` were checked before the poll began, and up to `seen` by now. */
  readonly cursor: number;
  seen: number;
  readonly since: number;
  /** When a heartbeat is due. */
  readonly due: number;
  end(ending: Ending): void;
}

/** One pass over all waiting polls. Polls that arrive meanwhile are visited last. */
interface Walk {
  readonly polls: IterableIterator<WaitingPoll>;
  /** The position of the newest entry when the walk began. */
  readonly head: number;
  /** How many polls to answer in the next turn of the event loop. */
  turn: number;
}

/** Answering this many polls takes a few milliseconds. */
const MAX_A_TURN = 128;
/** Events sent together arrive a few turns apart. A small first turn means that fewer polls need a second answer. */
const FIRST_TURN = 16;

export class WaitingPolls {
  readonly #byQueue = new Map<string, WaitingPoll>();
  /** Nearly always one poll per user. */
  readonly #byUser = new Map<UserId, readonly WaitingPoll[]>();
  /** Polls that can receive messages not addressed to their user: all public streams, or a narrow. */
  readonly #seeingAllPublic = new Set<WaitingPoll>();
  /** Entries that some polls have not seen yet, oldest first. */
  #news: Entry[] = [];
  #walk: Walk | undefined;
  /** No heartbeat is due before this time. */
  #nextDue = Infinity;

  get size(): number {
    return this.#byQueue.size;
  }

  add(poll: WaitingPoll): void {
    this.end(poll.queue.id, { kind: 'released' });
    this.#byQueue.set(poll.queue.id, poll);
    this.#nextDue = Math.min(this.#nextDue, poll.due);
    const others = this.#byUser.get(poll.user.id);
    this.#byUser.set(poll.user.id, others ? [...others, poll] : [poll]);
    const { allPublicStreams, narrow } = poll.queue.filters;
    if (allPublicStreams || narrow.length > 0) this.#seeingAllPublic.add(poll);
  }

  /** Removes a poll, unless another poll has replaced it. */
  remove(poll: WaitingPoll): void {
    if (this.#byQueue.get(poll.queue.id) !== poll) return;
    this.#byQueue.delete(poll.queue.id);
    if (this.#seeingAllPublic.size > 0) this.#seeingAllPublic.delete(poll);
    const own = this.#byUser.get(poll.user.id)!;
    if (own.length === 1) this.#byUser.delete(poll.user.id);
    else
      this.#byUser.set(
        poll.user.id,
        own.filter((each) => each !== poll),
      );
  }

  /** Ends the poll that waits on a queue, unless it began at or after the given time. */
  end(queueId: string, ending: Ending, before = Infinity): void {
    const poll = this.#byQueue.get(queueId);
    if (!poll || poll.since >= before) return;
    this.remove(poll);
    poll.end(ending);
  }

  endUser(userId: UserId, ending: Ending): void {
    for (const poll of this.#byUser.get(userId) ?? []) this.end(poll.queue.id, ending);
  }

  /** Ends every poll that has not seen all entries up to the given position. */
  endAll(ending: Ending, before = Infinity): void {
    for (const { queue, seen } of this.#byQueue.values()) if (seen < before) this.end(queue.id, ending);
  }

  /** Ends every poll with its unseen share of these entries, because they cannot be delivered later. */
  endAllWith(entries: readonly Entry[]): void {
    const news = [...this.#news, ...entries];
    for (const poll of this.#byQueue.values()) {
      if (!this.look(poll, news)) this.end(poll.queue.id, { kind: 'released' });
    }
  }

  /** Delivers new entries. Users named in an entry are answered at once; wide audiences are answered in turns. */
  deliver(entries: readonly Entry[]): void {
    // No poll waits. A later poll reads the entries itself.
    if (this.#byQueue.size === 0 && !this.#walk) return;
    this.#news.push(...entries);
    let isWide = false;
    for (const { head } of entries) {
      if (Array.isArray(head.to)) this.#deliverToFew(head.to as UserId[], head.message?.isPublic ?? false);
      else isWide = true;
    }
    if (isWide && !this.#walk) this.#walkOn(this.#beginWalk());
    if (!this.#walk) this.#news = [];
  }

  #deliverToFew(named: readonly UserId[], isPublic: boolean): void {
    for (const id of named) for (const poll of this.#byUser.get(id) ?? []) this.look(poll, this.#news);
    if (isPublic) for (const poll of this.#seeingAllPublic) this.look(poll, this.#news);
  }

  #beginWalk(): Walk {
    return { polls: this.#byQueue.values(), head: this.#news.at(-1)!.position, turn: FIRST_TURN };
  }

  /** Clients return and entries arrive between turns. Each remaining poll is answered with everything known by then. */
  #walkOn(walk: Walk): void {
    this.#walk = walk;
    let left = walk.turn;
    walk.turn = Math.min(walk.turn * 2, MAX_A_TURN);
    // A map's iterator can be resumed.
    for (const poll of walk.polls) {
      if (!this.look(poll, this.#news)) continue;
      left -= 1;
      if (left === 0) return void setImmediate(() => this.#walkOn(walk));
    }
    this.#endWalk(walk);
  }

  /** Every poll has seen what existed when the walk began. Later entries need another walk. */
  #endWalk({ head }: Walk): void {
    this.#walk = undefined;
    this.#news = this.#news.filter(({ position }) => position > head);
    if (this.#news.length > 0) this.#walkOn(this.#beginWalk());
  }

  /** Ends a poll with all its new events, if there are any. Returns whether there were. */
  look(poll: WaitingPoll, entries: readonly Entry[]): boolean {
    const events: string[] = [];
    let [size, last, isAboutBots] = [0, 0, false];
    for (const entry of entries) {
      if (entry.position <= poll.seen) continue;
      poll.seen = entry.position;
      const event = entry.render(poll.queue, poll.user);
      if (event === null) continue;
      events.push(event);
      size += event.length;
      last = entry.position;
      isAboutBots ||= entry.isAboutBot;
      if (isFull(events.length, size)) break;
    }
    if (events.length === 0) return false;
    this.remove(poll);
    poll.end({ kind: 'events', events, isAboutBots, last });
    return true;
  }

  /**
   * Sends heartbeats to polls that are due, if there is a position for them. Returns the position that the next tick
   * must exceed for the others; 0 if there are none.
   */
  beat(now: number, head: number): number {
    if (now < this.#nextDue) return 0;
    let exceed = 0;
    let nextDue = Infinity;
    for (const poll of this.#byQueue.values()) {
      const isDue = poll.due <= now;
      if (isDue && this.look(poll, this.#news)) continue;
      if (isDue && head > poll.cursor) {
        this.remove(poll);
        poll.end({ kind: 'heartbeat', position: head });
        continue;
      }
      if (isDue) exceed = Math.max(exceed, poll.cursor);
      nextDue = Math.min(nextDue, poll.due);
    }
    this.#nextDue = nextDue;
    return exceed;
  }
}
