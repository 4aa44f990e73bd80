/**
 * Polls that wait on this node, one per queue, found by user when an event arrives and by time when a heartbeat is due.
 */
import type { AudienceMember } from '../../model/events/audience';
import { isFull, type QueueFilters } from '../../model/events/queue';
import type { UserId } from '../../model/users/user';
import type { Entry } from './entry';

export interface PolledQueue {
  readonly id: string;
  readonly base: number;
  readonly filters: QueueFilters;
  /** When the other nodes last heard that it is polled here; 0 when they have since heard otherwise. */
  announcedAt: number;
}

/** How a poll ends. */
export type Ending =
  /** The last of them has this number. About bots among them: they lack what is put in as they leave. */
  | { readonly kind: 'events'; readonly events: string[]; readonly isAboutBots: boolean; readonly last: number }
  | { readonly kind: 'heartbeat'; readonly number: number }
  /** Another poll took over, the node drains, or the client left. */
  | { readonly kind: 'released' }
  | { readonly kind: 'gone' };

export interface WaitingPoll {
  readonly queue: PolledQueue;
  readonly user: AudienceMember;
  /** Everything up to here had been looked at for this queue when the poll began, and up to here since. */
  readonly cursor: number;
  seen: number;
  readonly since: number;
  /** When a heartbeat is due. */
  readonly due: number;
  end(ending: Ending): void;
}

/** Going through everyone who waits: whoever joins meanwhile comes last. */
interface Walk {
  readonly polls: IterableIterator<WaitingPoll>;
  /** The newest entry when it began. */
  readonly head: number;
  /** How many are answered in the next turn. */
  turn: number;
}

/** So many answers take a few milliseconds. */
const MOST_A_TURN = 128;
/** What is sent at the same time comes a few turns later: the fewer have been answered by then, the fewer are twice. */
const FIRST_TURN = 16;

export class WaitingPolls {
  readonly #byQueue = new Map<string, WaitingPoll>();
  /** Nearly always one each, never many. */
  readonly #byUser = new Map<UserId, readonly WaitingPoll[]>();
  /** Those who may hear of messages they are not addressed by. */
  readonly #seeingAllPublic = new Set<WaitingPoll>();
  /** What some may have yet to be told of, oldest first. */
  #news: Entry[] = [];
  #walk: Walk | undefined;
  /** No heartbeat is due before. */
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

  /** Takes a poll out, if it is still this one that waits. */
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

  /** Ends every poll that has not looked as far as the number. */
  endAll(ending: Ending, before = Infinity): void {
    for (const { queue, seen } of this.#byQueue.values()) if (seen < before) this.end(queue.id, ending);
  }

  /** Ends every poll with what it has not been told of these new entries: there will be no other time to tell it. */
  endAllWith(entries: readonly Entry[]): void {
    const news = [...this.#news, ...entries];
    for (const poll of this.#byQueue.values()) {
      if (!this.look(poll, news)) this.end(poll.queue.id, { kind: 'released' });
    }
  }

  /** Tells everyone whom one of these new entries is for: the few whom one names at once, all others in turns. */
  deliver(entries: readonly Entry[]): void {
    // Nobody waits: whoever comes looks for themselves.
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
    return { polls: this.#byQueue.values(), head: this.#news.at(-1)!.number, turn: FIRST_TURN };
  }

  /** Between turns clients come back and more is told: whoever has still to be answered is answered with all of it. */
  #walkOn(walk: Walk): void {
    this.#walk = walk;
    let left = walk.turn;
    walk.turn = Math.min(walk.turn * 2, MOST_A_TURN);
    // A map's iterator can be gone on with.
    for (const poll of walk.polls) {
      if (!this.look(poll, this.#news)) continue;
      left -= 1;
      if (left === 0) return void setImmediate(() => this.#walkOn(walk));
    }
    this.#endWalk(walk);
  }

  /** Everyone has been told what there was when the walk began; what has come since may have passed some by. */
  #endWalk({ head }: Walk): void {
    this.#walk = undefined;
    this.#news = this.#news.filter(({ number }) => number > head);
    if (this.#news.length > 0) this.#walkOn(this.#beginWalk());
  }

  /** Answers a poll with what is new to it and for it, once, with all of it; says whether there was anything. */
  look(poll: WaitingPoll, entries: readonly Entry[]): boolean {
    const events: string[] = [];
    let [size, last, isAboutBots] = [0, 0, false];
    for (const entry of entries) {
      if (entry.number <= poll.seen) continue;
      poll.seen = entry.number;
      const event = entry.render(poll.queue, poll.user);
      if (event === null) continue;
      events.push(event);
      size += event.length;
      last = entry.number;
      isAboutBots ||= entry.isAboutBot;
      if (isFull(events.length, size)) break;
    }
    if (events.length === 0) return false;
    this.remove(poll);
    poll.end({ kind: 'events', events, isAboutBots, last });
    return true;
  }

  /** Gives a heartbeat to whoever has waited long enough, if there is a number for it; says whether one is lacking. */
  beat(now: number, head: number): boolean {
    if (now < this.#nextDue) return false;
    let isLacking = false;
    let nextDue = Infinity;
    for (const poll of this.#byQueue.values()) {
      const isDue = poll.due <= now;
      if (isDue && this.look(poll, this.#news)) continue;
      if (isDue && head > poll.cursor) {
        this.remove(poll);
        poll.end({ kind: 'heartbeat', number: head });
        continue;
      }
      isLacking ||= isDue;
      nextDue = Math.min(nextDue, poll.due);
    }
    this.#nextDue = nextDue;
    return isLacking;
  }
}
