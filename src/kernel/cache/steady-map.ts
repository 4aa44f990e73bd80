/** Places that may be empty, whatever the size. */
const MAX_SPARE = 1024;

/**
 * A map for entries that come and go all the time, such as whoever is inside a gate.
 *
 * A Map gets a new table whenever enough entries were deleted, and V8 links the old table to the new one. Once the
 * garbage collector has moved one of them to the old generation, it therefore moves all that follow as well, with
 * everything in them, until its next full collection. With a thousand polls that took a node a fifth of its time. So a
 * deleted entry keeps its place here, and when most places are empty, the others move to another Map.
 */
export class SteadyMap<K, V extends NonNullable<unknown>> {
  #entries = new Map<K, V | undefined>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    if (this.#entries.get(key) === undefined) this.#size += 1;
    this.#entries.set(key, value);
  }

  delete(key: K): void {
    if (this.#entries.get(key) === undefined) return;
    this.#size -= 1;
    this.#entries.set(key, undefined);
    if (this.#entries.size > 2 * this.#size + MAX_SPARE) this.#entries = new Map(this.entries());
  }

  /** Entries may be set and deleted meanwhile: no deleted entry is shown, a new one perhaps. */
  *entries(): Generator<[K, V]> {
    const places = this.#entries;
    for (const [key, value] of places) {
      if (value !== undefined && (places === this.#entries || this.get(key) === value)) yield [key, value];
    }
  }

  *values(): Generator<V> {
    for (const [, value] of this.entries()) yield value;
  }
}
