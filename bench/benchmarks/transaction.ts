/** Kernel transactions, compared with a bare INSERT, alone and 64 at a time. */
import { cpuOf, P50, P99, pairsByName, RATE, type Figure, type Pair, type Suite } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { watchProcess } from '../harness/watch';
import type { Insert } from '../programs/bare/insert';
import type { Transact } from '../programs/transact';

interface Kind {
  readonly name: string;
  readonly change: boolean;
  readonly concurrency: number;
  readonly figures: readonly Figure[];
}

const MANY = 64;

const kinds: readonly Kind[] = [
  {
    name: 'change-64',
    change: true,
    concurrency: MANY,
    // Batched sends should beat single INSERTs by sharing commits.
    figures: [{ ...RATE, target: { of: 'ratio', is: 'at least', value: 1.5 } }, P50],
  },
  { name: 'deliver-64', change: false, concurrency: MANY, figures: [RATE, P50] },
  {
    name: 'change-1',
    change: true,
    concurrency: 1,
    // A send should take at most two and a half bare INSERTs, however many people it reaches.
    figures: [{ ...P50, target: { of: 'ratio', is: 'at most', value: 2.5 } }, RATE],
  },
  { name: 'deliver-1', change: false, concurrency: 1, figures: [P50, RATE] },
];

const aboutOf = ({ change, concurrency }: Kind): string =>
  `a transaction that ${change ? 'inserts a row of 600 bytes and ' : ''}publishes one numbered event of 1.2 KB, ` +
  `${concurrency} at a time`;

export const transactionSuite: Suite = {
  benchmarks: kinds.map((kind) => ({
    name: kind.name,
    about: aboutOf(kind),
    limit: `bare INSERT of 600 bytes by mysql2, ${kind.concurrency} at a time`,
    unit: 'transaction',
    figures: [...kind.figures, P99, cpuOf('sender'), cpuOf('mariadb')],
  })),
  async open({ databaseUrl, environment, redis, mariadb }) {
    const [insert, transact] = await Promise.all([
      startProgram<Insert>('programs/bare/insert', { databaseUrl, connections: MANY }),
      startProgram<Transact>('programs/transact', { environment }),
    ]);
    const pairs = kinds.map(({ name, change, concurrency }): [string, Pair] => [
      name,
      {
        limit: {
          watched: [watchProcess('sender', insert), redis, ...mariadb],
          run: (milliseconds) => insert.run({ concurrency, milliseconds }),
        },
        ours: {
          watched: [watchProcess('sender', transact), redis, ...mariadb],
          run: (milliseconds) => transact.run({ concurrency, milliseconds, change }),
        },
      },
    ]);
    return pairsByName(Object.fromEntries(pairs));
  },
};
