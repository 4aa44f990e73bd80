/** The polls and streams that wait on this node, one per queue. New events find them by user, heartbeats by due time. */
import { SteadyMap } from '../../../kernel/cache/steady-map';
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

/** What a waiting client gets. */
export type News =
  /** `last` is the position of the last event. Events about bots are completed as they are sent, hence `isAboutBots`. */
  | { readonly kind: 'events'; readonly events: string[]; readonly isAboutBots: boolean; readonly last: number }
  | { readonly kind: 'heartbeat'; readonly position: number };

/** Why a client waits here no longer: it must connect again, to any node, or its queue is gone. */
export type WaitEnd = 'released' | 'gone';

export interface WaitingClient {
  readonly queue: PolledQueue;
  readonly user: AudienceMember;
  /** Whether events are rendered as frames of a stream. */
  readonly isStream: boolean;
  /** Positions: a heartbeat must exceed `cursor`, and entries up to `seen` have been checked. */
  readonly cursor: number;
  seen: number;
  readonly since: number;
  /** When a heartbeat is due. */
  readonly due: number;
  /** Passes news on. Returns whether the client goes on waiting. */
  receive(news: News): boolean;
  end(ending: WaitEnd): void;
}

/** One pass over all clients that waited when it began. Those that come later have seen what it delivers. */
interface Walk {
  readonly clients: IterableIterator<WaitingClient>;
  /** The position of the newest entry when the walk began. */
  readonly head: number;
  /** How many polls to answer in the next turn of the event loop. */
  turn: number;
}

/** Answering this many polls takes a few milliseconds. */
const MAX_A_TURN = 128;
/** Events sent together arrive a few turns apart. A small first turn means that fewer polls need a second answer. */
const FIRST_TURN = 16;

export class WaitingClients {
  readonly #byQueue = new SteadyMap<string, WaitingClient>();
  /** Nearly always one client per user. */
  readonly #byUser = new SteadyMap<UserId, readonly WaitingClient[]>();
  /** Polls that can receive messages not addressed to their user: all public streams, or a narrow. */
  readonly #seeingAllPublic = new SteadyMap<string, WaitingClient>();
  /** Entries that some polls have not seen yet, oldest first. */
  #news: Entry[] = [];
  #walk: Walk | undefined;
  /** No heartbeat is due before this time. */
  #nextDue = Infinity;

  get size(): number {
    return this.#byQueue.size;
  }

  add(client: WaitingClient): void {
    this.end(client.queue.id, 'released');
    this.#byQueue.set(client.queue.id, client);
    this.#nextDue = Math.min(this.#nextDue, client.due);
    const others = this.#byUser.get(client.user.id);
    this.#byUser.set(client.user.id, others ? [...others, client] : [client]);
    const { allPublicStreams, narrow } = client.queue.filters;
    if (allPublicStreams || narrow.length > 0) this.#seeingAllPublic.set(client.queue.id, client);
  }

  /** Removes a client, unless another client has replaced it. */
  remove(client: WaitingClient): void {
    if (this.#byQueue.get(client.queue.id) !== client) return;
    this.#byQueue.delete(client.queue.id);
    this.#seeingAllPublic.delete(client.queue.id);
    const own = this.#byUser.get(client.user.id)!;
    if (own.length === 1) this.#byUser.delete(client.user.id);
    else
      this.#byUser.set(
        client.user.id,
        own.filter((each) => each !== client),
      );
  }

  /** Ends the client that waits on a queue, unless it began at or after the given time. */
  end(queueId: string, ending: WaitEnd, before = Infinity): void {
    const client = this.#byQueue.get(queueId);
    if (!client || client.since >= before) return;
    this.remove(client);
    client.end(ending);
  }

  endUser(userId: UserId, ending: WaitEnd): void {
    for (const client of this.#byUser.get(userId) ?? []) this.end(client.queue.id, ending);
  }

  /** Ends every client that has not seen all entries up to the given position. */
  endAll(ending: WaitEnd, before = Infinity): void {
    for (const { queue, seen } of this.#byQueue.values()) if (seen < before) this.end(queue.id, ending);
  }

  endPolls(): void {
    for (const { queue, isStream } of this.#byQueue.values()) if (!isStream) this.end(queue.id, 'released');
  }

  /** For each stream, how to end it. */
  streamEnds(): (() => void)[] {
    return [...this.#byQueue.values()]
      .filter(({ isStream }) => isStream)
      .map(
        ({ queue }) =>
          () =>
            this.end(queue.id, 'released'),
      );
  }

  /** Ends every client with its unseen share of these entries, because they cannot be delivered later. */
  endAllWith(entries: readonly Entry[]): void {
    const news = [...this.#news, ...entries];
    for (const client of this.#byQueue.values()) {
      this.look(client, news);
      this.end(client.queue.id, 'released');
    }
  }

  /** Delivers new entries. Users named in an entry are answered at once; wide audiences are answered in turns. */
  deliver(entries: readonly Entry[]): void {
    // No client waits. A later client reads the entries itself.
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
    for (const id of named) for (const client of this.#byUser.get(id) ?? []) this.look(client, this.#news);
    if (isPublic) for (const client of this.#seeingAllPublic.values()) this.look(client, this.#news);
  }

  #beginWalk(): Walk {
    return { clients: [...this.#byQueue.values()].values(), head: this.#news.at(-1)!.position, turn: FIRST_TURN };
  }

  /** Clients return and entries arrive between turns. Each remaining client is answered with everything known by then. */
  #walkOn(walk: Walk): void {
    this.#walk = walk;
    let left = walk.turn;
    walk.turn = Math.min(walk.turn * 2, MAX_A_TURN);
    // An array's iterator can be resumed.
    for (const client of walk.clients) {
      if (this.#byQueue.get(client.queue.id) !== client || !this.look(client, this.#news)) continue;
      left -= 1;
      if (left === 0) return void setImmediate(() => this.#walkOn(walk));
    }
    this.#endWalk(walk);
  }

  /** Every client has seen what existed when the walk began. Later entries need another walk. */
  #endWalk({ head }: Walk): void {
    this.#walk = undefined;
    this.#news = this.#news.filter(({ position }) => position > head);
    if (this.#news.length > 0) this.#walkOn(this.#beginWalk());
  }

  /** Gives a client all its new events, if there are any. Returns whether there were. */
  look(client: WaitingClient, entries: readonly Entry[]): boolean {
    let isAny = false;
    for (let next = 0; next < entries.length;) {
      const events: string[] = [];
      let [size, last, isAboutBots] = [0, 0, false];
      for (; next < entries.length && !isFull(events.length, size); next += 1) {
        const entry = entries[next]!;
        if (entry.position <= client.seen) continue;
        client.seen = entry.position;
        const event = entry.render(client.queue, client.user, client.isStream);
        if (event === null) continue;
        events.push(event);
        size += event.length;
        last = entry.position;
        isAboutBots ||= entry.isAboutBot;
      }
      if (events.length === 0) return isAny;
      isAny = true;
      if (!client.receive({ kind: 'events', events, isAboutBots, last })) {
        this.remove(client);
        return true;
      }
    }
    return isAny;
  }

  /**
   * Sends heartbeats to polls that are due, if there is a position for them. Returns the position that the next tick
   * must exceed for the others; 0 if there are none.
   */
  beat(now: number, head: number): number {
    if (now < this.#nextDue) return 0;
    let exceed = 0;
    let nextDue = Infinity;
    for (const client of this.#byQueue.values()) {
      if (client.due <= now) {
        this.look(client, this.#news);
        if (this.#byQueue.get(client.queue.id) !== client) continue;
        if (head <= client.cursor) exceed = Math.max(exceed, client.cursor);
        else if (!client.receive({ kind: 'heartbeat', position: head })) {
          this.remove(client);
          continue;
        }
      }
      nextDue = Math.min(nextDue, client.due);
    }
    this.#nextDue = nextDue;
    return exceed;
  }
}
