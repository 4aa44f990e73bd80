/** What a benchmark is: two sides measured in turn, the figures they are compared by, and what those should be. */
import type { Bench } from './stage';

/** What one side did in one measurement. */
export interface Measurement {
  /** Requests, transactions, events: whatever the CPU time is divided by. */
  readonly units: number;
  readonly figures: Readonly<Record<string, number>>;
}

/** A process whose CPU time counts. The same role has the same name on both sides. */
export interface Watched {
  readonly name: string;
  readonly pid: number;
  /** Microseconds used since it began. */
  cpu(): Promise<number>;
}

export interface Side {
  readonly watched: readonly Watched[];
  /** Works for about so long. */
  run(milliseconds: number): Promise<Measurement>;
}

export interface Pair {
  readonly ours: Side;
  readonly limit: Side;
}

export interface Target {
  /** Of the ratio of ours to the limit, of our own figure, or of what ours has more than the limit. */
  readonly of: 'ratio' | 'ours' | 'excess';
  readonly is: 'at least' | 'at most';
  readonly value: number;
}

export interface Figure {
  readonly name: string;
  /** Which measured value; `cpu <process>` is the CPU time of that process per unit of work, in microseconds. */
  readonly from: string;
  readonly unit: '' | '×' | '%' | '/s' | 'KB' | 'KiB' | 'ms' | 'µs';
  /** What to multiply the measured value with to get the unit; 1 if absent. */
  readonly scale?: number;
  readonly target?: Target;
}

export interface Benchmark {
  readonly name: string;
  readonly about: string;
  /** What bounds it from below or above, in words. */
  readonly limit: string;
  /** One of what is counted. */
  readonly unit: string;
  readonly figures: readonly Figure[];
  /** True: neither side does anything, so both are measured over the same time and not warmed up. */
  readonly idle?: boolean;
}

/** Benchmarks that share their processes, and so their start and most of their warming up. */
export interface Suite {
  readonly benchmarks: readonly Benchmark[];
  /** Starts the processes and says how each benchmark is run; they are ended after the last repeat. */
  open(bench: Bench): Promise<(name: string) => Pair>;
}

/** For a suite's open: what belongs to a name must be there. */
export function pairsByName(pairs: Readonly<Record<string, Pair>>): (name: string) => Pair {
  return (name) => {
    const pair = pairs[name];
    if (!pair) throw new Error(`nobody has opened ${name}`);
    return pair;
  };
}

export const RATE: Figure = { name: 'rate', from: 'rate', unit: '/s' };
export const P50: Figure = { name: 'p50', from: 'p50', unit: 'ms' };
export const P95: Figure = { name: 'p95', from: 'p95', unit: 'ms' };
export const P99: Figure = { name: 'p99', from: 'p99', unit: 'ms' };
export const cpuOf = (process: string): Figure => ({ name: `${process} CPU`, from: `cpu ${process}`, unit: 'µs' });
