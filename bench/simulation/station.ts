/** A server in simulated time: a number of cores and a FIFO queue. */
import type { Clock } from './clock';

/** Keeps an overloaded server progressing, so that the simulation ends. */
const MIN_SPEED = 0.01;

export class Station {
  readonly #clock: Clock;
  /** When each core is free again. */
  readonly #free: number[];
  /** The share of its time spent on constant background work. */
  readonly #background: number;
  #worked = 0;

  constructor(clock: Clock, { cores = 1, background = 0 }: { cores?: number; background?: number } = {}) {
    this.#clock = clock;
    this.#free = Array.from({ length: cores }, () => 0);
    this.#background = background;
  }

  /** Utilisation over this time; above 1 if more work was demanded than possible. */
  busy(time: number): number {
    return this.#background + this.#worked / this.#free.length / time;
  }

  serve(work: number, done: () => void): void {
    let core = 0;
    for (let at = 1; at < this.#free.length; at += 1) if (this.#free[at]! < this.#free[core]!) core = at;
    const end = Math.max(this.#clock.now, this.#free[core]!) + work / Math.max(MIN_SPEED, 1 - this.#background);
    this.#free[core] = end;
    this.#worked += work;
    this.#clock.at(end, done);
  }
}
