/** Transactions of the kernel beside a bare INSERT, alone and 64 at a time. */
import { cpuOf, P50, P99, RATE, type Benchmark, type Figure } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { watchProcess } from '../harness/watch';
import type { Insert } from '../programs/insert';
import type { Transact } from '../programs/transact';

interface Kind {
  readonly name: string;
  readonly about: string;
  readonly change: boolean;
  readonly concurrency: number;
  readonly figures: readonly Figure[];
}

function transactionBenchmark({ name, about, change, concurrency, figures }: Kind): Benchmark {
  return {
    name,
    about: `${about}, ${concurrency} at a time`,
    limit: `bare INSERT of 600 bytes by mysql2, ${concurrency} at a time`,
    unit: 'transaction',
    figures: [...figures, P99, cpuOf('sender'), cpuOf('mariadb')],
    async open({ databaseUrl, environment, redis, mariadb }) {
      const [insert, transact] = await Promise.all([
        startProgram<Insert>('programs/insert', { databaseUrl, connections: concurrency }),
        startProgram<Transact>('programs/transact', { environment }),
      ]);
      return {
        limit: {
          watched: [watchProcess('sender', insert), redis, ...mariadb],
          run: (milliseconds) => insert.run({ concurrency, milliseconds }),
        },
        ours: {
          watched: [watchProcess('sender', transact), redis, ...mariadb],
          run: (milliseconds) => transact.run({ concurrency, milliseconds, change }),
        },
      };
    },
  };
}

const DELIVERY = { about: 'a transaction that tells one numbered event of 1.2 KB', change: false };
const CHANGE = { about: 'a transaction that inserts a row of 600 bytes and tells one numbered event', change: true };
const ONE = 1;
const MANY = 64;

export const transactionBenchmarks: readonly Benchmark[] = [
  transactionBenchmark({ name: 'deliver-1', ...DELIVERY, concurrency: ONE, figures: [P50, RATE] }),
  transactionBenchmark({ name: 'deliver-64', ...DELIVERY, concurrency: MANY, figures: [RATE, P50] }),
  transactionBenchmark({
    name: 'change-1',
    ...CHANGE,
    concurrency: ONE,
    // A send is at most two and a half bare INSERTs long, whatever the number of those it reaches.
    figures: [{ ...P50, target: { of: 'ratio', is: 'at most', value: 2.5 } }, RATE],
  }),
  transactionBenchmark({
    name: 'change-64',
    ...CHANGE,
    concurrency: MANY,
    // Meant for sends in micro-batches, which beat single INSERTs by sharing their commits.
    figures: [{ ...RATE, target: { of: 'ratio', is: 'at least', value: 1.5 } }, P50],
  }),
];
