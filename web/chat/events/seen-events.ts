/** The events of an account as far as a tab has seen them, and the last of them for tabs that lack some. */
import type { ServerEvent } from '../data/wire';

/** All events of the account after one id, up to another. */
export interface Batch {
  readonly after: number;
  readonly to: number;
  readonly events: readonly ServerEvent[];
}

/** Between the ids of two events of the log are those of events that may be lost, such as typing (docs/EVENTS.md). */
const ROOM = 1000;
const numberOf = (id: number): number => Math.floor(id / ROOM);

/** More than happen while a page loads, at a few kilobytes each. */
const KEPT = 500;

export class SeenEvents {
  last: number;
  /** `#recent` has all events after this one. */
  #from: number;
  #recent: ServerEvent[] = [];

  constructor(last: number) {
    this.last = this.#from = last;
  }

  /** Returns the events that are new here; undefined if others are missing before them. */
  take({ after, to, events }: Batch): readonly ServerEvent[] | undefined {
    if (numberOf(after) > numberOf(this.last)) return undefined;
    const fresh = events.filter(({ id }) => id > this.last);
    this.last = Math.max(this.last, to);
    this.#recent.push(...fresh);
    const excess = this.#recent.splice(0, this.#recent.length - KEPT);
    this.#from = excess.at(-1)?.id ?? this.#from;
    return fresh;
  }

  /** What a tab needs that has seen all events up to this one. The batch begins later if they are no longer here. */
  since(last: number): Batch {
    const after = Math.min(Math.max(last, this.#from), this.last);
    return { after, to: this.last, events: this.#recent.filter(({ id }) => id > after) };
  }
}
