/** Collects a queue's events after its cursor: from the recent-event buffer, or from Redis if it is far behind. */
import type { CachedQueue } from '../../actors/event-queue/queue-cache';
import type { Entry } from '../../actors/recent-events/entry';
import type { RecentEventBuffer } from '../../actors/recent-events/recent-event-buffer';
import type { AudienceMember } from '../../model/events/audience';
import { isFull } from '../../model/events/queue';
import { badQueue } from '../../model/faults';

export interface Found {
  /** Each event as JSON, in order. */
  readonly events: string[];
  readonly isAboutBots: boolean;
  readonly size: number;
  /** No entry up to here is for this queue; the collected events all come after it. */
  readonly floor: number;
  /** All entries up to here have been checked. */
  readonly at: number;
  /** The position of the last event; 0 if there are none. */
  readonly last: number;
}

/** The queue's cursor, and a size limit if it is not the default. */
export interface From {
  readonly cursor: number;
  readonly maxCharacters?: number | undefined;
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
  readonly #maxCharacters: number | undefined;

  constructor(queue: CachedQueue, member: AudienceMember, { cursor, maxCharacters }: From) {
    this.#queue = queue;
    this.#member = member;
    this.#maxCharacters = maxCharacters;
    this.floor = this.at = cursor;
  }

  /** Returns whether there is room for more. */
  take(entries: readonly Entry[]): boolean {
    for (const entry of entries) {
      const event = entry.position > this.at ? entry.render(this.#queue, this.#member) : null;
      this.at = Math.max(this.at, entry.position);
      if (event !== null) {
        this.events.push(event);
        this.isAboutBots ||= entry.isAboutBot;
        this.size += event.length;
        this.last = entry.position;
      } else if (this.events.length === 0) this.floor = this.at;
      if (isFull(this.events.length, this.size, this.#maxCharacters)) return false;
    }
    return true;
  }
}

/** Requires a cursor that the buffer still covers. */
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
    // Unseen events are lost. A new registration is better than a gap.
    if (!entries) throw badQueue(queue.id);
    if (!found.take(entries) || found.at >= recentEvents.head || entries.length === 0) return found;
  }
}
