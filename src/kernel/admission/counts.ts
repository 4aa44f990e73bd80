import { SteadyMap } from '../cache/steady-map';

/** Counts by name, with their sum. A name whose count reaches zero is removed. */
export class Counts {
  readonly #counts = new SteadyMap<string, number>();
  total = 0;

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string, more: number): void {
    this.total += more;
    const count = this.of(name) + more;
    if (count > 0) this.#counts.set(name, count);
    else this.#counts.delete(name);
  }

  largest(): string {
    let largest = '';
    for (const [name, count] of this.#counts.entries()) if (count > this.of(largest)) largest = name;
    return largest;
  }
}
