/** Times messages from departure to arrival. Each starts with a token that identifies it. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Measurement } from '../harness/benchmark';
import { measured } from '../harness/closed-loop';

const TOKEN_LENGTH = 12;
const ARRIVE_WITHIN_MS = 10_000;

export interface Arrivals {
  expect(): string;
  departed(token: string): void;
  arrived(message: string): void;
  /** Waits until everything has arrived; throws if something does not. */
  all(): Promise<Measurement>;
}

export function openArrivals(): Arrivals {
  const left = new Map<string, number>();
  const early = new Map<string, number>();
  const took: number[] = [];
  let [expected, began] = [0, 0];

  function arrived(message: string): void {
    const [token, now] = [message.slice(0, TOKEN_LENGTH), performance.now()];
    const departure = left.get(token);
    if (departure === undefined) {
      early.set(token, now);
      return;
    }
    left.delete(token);
    took.push(now - departure);
  }

  return {
    expect() {
      if (expected === 0) began = performance.now();
      expected += 1;
      return String(expected).padStart(TOKEN_LENGTH, '0');
    },
    departed(token) {
      // A message may arrive before its sender learns that it has left.
      if (early.delete(token)) took.push(0);
      else left.set(token, performance.now());
    },
    arrived,
    async all() {
      const end = performance.now() + ARRIVE_WITHIN_MS;
      while (took.length < expected) {
        if (performance.now() > end) throw new Error(`${expected - took.length} of ${expected} events never arrived`);
        await wait(1);
      }
      const measurement = measured(took, performance.now() - began);
      took.length = expected = 0;
      return measurement;
    },
  };
}
