/**
 * A map that forgets what was not asked for the longest, so that a cache never grows without end. It keeps two halves: what
 * was asked for since the younger one began is in that, and when it is full, the older one is forgotten.
 */
export class BoundedMap<K, V> {
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  readonly #half: number;

  constructor(most: number) {
    this.#half = Math.max(1, Math.floor(most / 2));
  }

  get(key: K): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older === undefined) return undefined;
    this.#old.delete(key);
    this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    this.#young.set(key, value);
    this.#old.delete(key);
    if (this.#young.size <= this.#half) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  delete(key: K): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  deleteWhere(isMeant: (value: V) => boolean): void {
    for (const half of [this.#young, this.#old]) {
      for (const [key, value] of half) if (isMeant(value)) half.delete(key);
    }
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
