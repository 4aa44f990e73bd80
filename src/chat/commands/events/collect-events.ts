/** Gathers what a queue is to be sent from where it stands: from memory, or from Redis where it is far behind. */
import type { CachedQueue } from '../../actors/event-queue/queue-cache';
import type { Entry } from '../../actors/recent-events/entry';
import type { RecentEventBuffer } from '../../actors/recent-events/recent-event-buffer';
import type { AudienceMember } from '../../model/events/audience';
import { isFull } from '../../model/events/queue';
import { badQueue } from '../../model/faults';

export interface Found {
  /** Each as JSON, in order. */
  readonly events: string[];
  readonly isAboutBots: boolean;
  readonly size: number;
  /** Everything up to here is none of this queue's, or is among the events before which it lies. */
  readonly floor: number;
  /** Everything up to here was looked at. */
  readonly at: number;
  /** The number of the last of the events; 0 where there are none. */
  readonly last: number;
}

/** Where a queue stands, and how much it takes at a time where that is not the usual. */
export interface From {
  readonly cursor: number;
  readonly mostCharacters?: number | undefined;
}

class EventCollector {
  readonly events: string[] = [];
  isAboutBots = false;
  size = 0;
  last = 0;
  floor: number;
  at: number;
  readonly #queue: CachedQueue;
  readonly #member: AudienceMember;
  readonly #mostCharacters: number | undefined;

  constructor(queue: CachedQueue, member: AudienceMember, { cursor, mostCharacters }: From) {
    this.#queue = queue;
    this.#member = member;
    this.#mostCharacters = mostCharacters;
    this.floor = this.at = cursor;
  }

  /** Says whether there is room for more. */
  take(entries: readonly Entry[]): boolean {
    for (const entry of entries) {
      const event = entry.number > this.at ? entry.render(this.#queue, this.#member) : null;
      this.at = Math.max(this.at, entry.number);
      if (event !== null) {
        this.events.push(event);
        this.isAboutBots ||= entry.isAboutBot;
        this.size += event.length;
        this.last = entry.number;
      } else if (this.events.length === 0) this.floor = this.at;
      if (isFull(this.events.length, this.size, this.#mostCharacters)) return false;
    }
    return true;
  }
}

/** Only for a cursor that the ring reaches back to. */
export function collectFromMemory(
  recentEvents: RecentEventBuffer,
  queue: CachedQueue,
  by: AudienceMember,
  cursor: number,
): Found {
  const found = new EventCollector(queue, by, { cursor });
  if (cursor < recentEvents.head) found.take(recentEvents.after(cursor));
  return found;
}

export async function collectEvents(
  recentEvents: RecentEventBuffer,
  queue: CachedQueue,
  by: AudienceMember,
  from: From,
): Promise<Found> {
  const found = new EventCollector(queue, by, from);
  for (;;) {
    const entries =
      found.at >= recentEvents.floor ? recentEvents.after(found.at) : await recentEvents.readAfter(found.at);
    // What it has not seen is no more: better anew than with a gap.
    if (!entries) throw badQueue(queue.id);
    if (!found.take(entries) || found.at >= recentEvents.head || entries.length === 0) return found;
  }
}
