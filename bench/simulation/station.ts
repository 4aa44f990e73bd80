/** A server in simulated time: so many cores, one piece of work on each, the others wait in the order they came. */
import type { Clock } from './clock';

/** Whoever has no time left at all still gets somewhere, or nothing would ever end. */
const LEAST_SPEED = 0.01;

export class Station {
  readonly #clock: Clock;
  /** When each core is free again. */
  readonly #free: number[];
  /** The share of its time that it spends on what it does all the time. */
  readonly #background: number;
  #worked = 0;

  constructor(clock: Clock, { cores = 1, background = 0 }: { cores?: number; background?: number } = {}) {
    this.#clock = clock;
    this.#free = Array.from({ length: cores }, () => 0);
    this.#background = background;
  }

  /** The share of so much time that it was asked to work; above 1 if it was asked for more than there was. */
  busy(time: number): number {
    return this.#background + this.#worked / this.#free.length / time;
  }

  serve(work: number, done: () => void): void {
    let core = 0;
    for (let at = 1; at < this.#free.length; at += 1) if (this.#free[at]! < this.#free[core]!) core = at;
    const end = Math.max(this.#clock.now, this.#free[core]!) + work / Math.max(LEAST_SPEED, 1 - this.#background);
    this.#free[core] = end;
    this.#worked += work;
    this.#clock.at(end, done);
  }
}
