/** Types of a benchmark: two sides measured in turn, the figures to compare, and their targets. */
import type { Bench } from './stage';

/** What one side did in one measurement. */
export interface Measurement {
  /** Requests, transactions or events: what CPU time is divided by. */
  readonly units: number;
  readonly figures: Readonly<Record<string, number>>;
}

/** A process whose CPU time is measured. The same role has the same name on both sides. */
export interface Watched {
  readonly name: string;
  readonly pid: number;
  /** How many processes it is, if it is not one. */
  readonly processes?: number;
  /** Microseconds used since it started. */
  cpu(): Promise<number>;
}

export interface Side {
  readonly watched: readonly Watched[];
  /** Works for about this long. */
  run(milliseconds: number): Promise<Measurement>;
}

export interface Pair {
  readonly ours: Side;
  readonly limit: Side;
}

export interface Target {
  /** The ratio of ours to the limit, our own figure, or the difference of ours and the limit. */
  readonly of: 'ratio' | 'ours' | 'excess';
  readonly is: 'at least' | 'at most';
  readonly value: number;
}

export interface Figure {
  readonly name: string;
  /** The measured value. `cpu <process>` is that process's CPU time per unit of work, in microseconds. */
  readonly from: string;
  readonly unit: '' | '×' | '%' | '/s' | 'KB' | 'KiB' | 'ms' | 'µs';
  /** Factor from the measured value to the unit; 1 if absent. */
  readonly scale?: number;
  readonly target?: Target;
}

export interface Benchmark {
  readonly name: string;
  readonly about: string;
  /** What bounds it, in words. */
  readonly limit: string;
  /** The name of one unit. */
  readonly unit: string;
  readonly figures: readonly Figure[];
  /** Both sides are idle, so they are measured over the same time and not warmed up. */
  readonly idle?: boolean;
}

/** Benchmarks that share processes, and so their start and most of their warm-up. */
export interface Suite {
  readonly benchmarks: readonly Benchmark[];
  /** Starts the processes and returns each benchmark's pair. The processes end after the last repeat. */
  open(bench: Bench): Promise<(name: string) => Pair>;
}

/** Builds the lookup that `open` returns. Throws for an unknown name. */
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
