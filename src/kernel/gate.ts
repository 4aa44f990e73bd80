/** Lets in so many at a time; the others stand in line for a while, and are then asked to come again later. */
import { Fault } from './fault';

export interface GateRule {
  readonly atOnce: number;
  /** Standing in line; more are turned away at once. */
  readonly waiting: number;
  readonly waitMs: number;
}

/** Coming again together would be the same again. */
const LATER_SECONDS = 5;

const busy = (): Fault =>
  new Fault('unavailable', 'Too many are asking for this at once; try again', {
    headers: { 'Retry-After': String(1 + Math.floor(Math.random() * LATER_SECONDS)) },
  });

export class Gate {
  readonly #rule: GateRule;
  readonly #line = new Set<() => void>();
  #inside = 0;

  constructor(rule: GateRule) {
    this.#rule = rule;
  }

  async through<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside < this.#rule.atOnce) this.#inside += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const [next] = this.#line;
      // Whoever is next takes the place that is left.
      if (next) next();
      else this.#inside -= 1;
    }
  }

  #turn(): Promise<void> {
    if (this.#line.size >= this.#rule.waiting) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        this.#line.delete(enter);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#line.delete(enter);
        reject(busy());
      }, this.#rule.waitMs);
      this.#line.add(enter);
    });
  }
}
