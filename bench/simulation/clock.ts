/** Simulated time: an event queue ordered by time. */

interface Happening {
  readonly time: number;
  /** Breaks ties: first scheduled, first run. */
  readonly turn: number;
  readonly act: () => void;
}

const isBefore = (one: Happening, other: Happening): boolean =>
  one.time < other.time || (one.time === other.time && one.turn < other.turn);

export class Clock {
  #now = 0;
  #turns = 0;
  /** A binary heap with the next event first. */
  readonly #heap: Happening[] = [];

  get now(): number {
    return this.#now;
  }

  at(time: number, act: () => void): void {
    if (time < this.#now) throw new Error(`it is ${this.#now} already, too late for ${time}`);
    const heap = this.#heap;
    heap.push({ time, turn: this.#turns++, act });
    let at = heap.length - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap[at]!, heap[parent]!)) break;
      [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
      at = parent;
    }
  }

  /** Runs until no event is left. */
  run(): void {
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      this.#now = next.time;
      next.act();
    }
  }

  #take(): Happening | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < heap.length && isBefore(heap[left]!, heap[least]!)) least = left;
      if (right < heap.length && isBefore(heap[right]!, heap[least]!)) least = right;
      if (least === at) return first;
      [heap[at], heap[least]] = [heap[least]!, heap[at]!];
      at = least;
    }
  }
}
