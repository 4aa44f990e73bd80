/** Every benchmark there is, in the order in which they run. */
import type { Benchmark } from '../harness/benchmark';
import { askBenchmarks } from './ask';
import { httpBenchmarks } from './http';
import { idleBenchmark } from './idle';
import { publishBenchmarks } from './publish';
import { roomsBenchmark } from './rooms';
import { tellBenchmarks } from './tell';
import { transactionBenchmarks } from './transaction';

export const benchmarks: readonly Benchmark[] = [
  // First, while the database is as small as a fresh one.
  idleBenchmark,
  ...httpBenchmarks,
  ...transactionBenchmarks,
  ...tellBenchmarks,
  ...publishBenchmarks,
  ...askBenchmarks,
  roomsBenchmark,
];
