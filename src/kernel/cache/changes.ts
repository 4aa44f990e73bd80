/** Remembers when something last changed, so that what is cached of it is outdated without being searched for. */

/** Beyond this, what is cached of everything is read once more than necessary. */
const MAX_CHANGED = 10_000;

export class Changes<Id extends string | number> {
  readonly #changedAt = new Map<Id, number>();
  /** What counts for ids that are missing from the map. */
  #changedBefore = 0;
  #clock = 0;

  /** Read this before reading what is cached, and keep it with it. */
  get now(): number {
    return this.#clock;
  }

  note(id: Id): void {
    this.#clock += 1;
    this.#changedAt.set(id, this.#clock);
    if (this.#changedAt.size > MAX_CHANGED) this.noteAll();
  }

  noteAll(): void {
    this.#clock += 1;
    this.#changedAt.clear();
    this.#changedBefore = this.#clock;
  }

  hasChangedSince(id: Id, then: number): boolean {
    return (this.#changedAt.get(id) ?? this.#changedBefore) > then;
  }
}
