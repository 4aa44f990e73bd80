/** Sweep over ever longer histories: cost of sending and reading, and database size. */
import { openCrowd } from '../harness/crowd';
import { makeArchive, type Archive } from '../harness/archive';
import type { Measurement } from '../harness/benchmark';
import { startProgram, type Program } from '../harness/children';
import type { Bench } from '../harness/stage';
import type { Sweep } from '../harness/sweep';
import { watchProcess } from '../harness/watch';
import type { ChatWork } from '../programs/chat-work';

const CONCURRENCY = 2;
const MIB = 1024 * 1024;
/** Inserting millions of messages is only fast enough if the indexes fit into memory. */
const POOL_WHILE_MAKING = 4096 * MIB;

const READINGS = {
  stream: '[["stream", "archive 5"]]',
  topic: '[["stream", "archive 5"], ["topic", "topic 4"]]',
  everything: '[]',
  search: '[["search", "zebra"]]',
};

export const messagesSweep: Sweep = {
  name: 'growth-messages',
  about: `sends and reads of a hundred messages, ${CONCURRENCY} at a time, in a buffer pool of 128 MB`,
  across: 'messages of the organisation',
  unit: 'request',
  points: [10_000, 100_000, 1_000_000, 10_000_000],
  quickPoints: [10_000, 20_000],
  async open(bench, messages) {
    const { archive, megabytes } = await fill(bench, messages);
    const work = await startProgram<ChatWork>('programs/chat-work', { environment: bench.environment });
    return {
      watched: [watchProcess('sender', work), bench.redis, ...bench.mariadb],
      async run(milliseconds) {
        const { units, figures } = await measureAll(bench, work, { archive, milliseconds });
        return { units, figures: { ...figures, 'database MiB': megabytes } };
      },
    };
  },
};

/** Fills with a large buffer pool, then restores it, so that the measurement has only a small server's memory. */
async function fill(bench: Bench, messages: number): Promise<{ archive: Archive; megabytes: number }> {
  const { database } = await openCrowd(bench);
  const [[{ pool }]] = (await database.query('SELECT @@innodb_buffer_pool_size AS pool')) as unknown as [
    [{ pool: number }],
  ];
  await database.query('SET GLOBAL innodb_buffer_pool_size = ?', [POOL_WHILE_MAKING]);
  const archive = await makeArchive(bench, `past-${messages}`, messages);
  await database.query('SET GLOBAL innodb_buffer_pool_size = ?', [pool]);
  const [[{ bytes }]] = (await database.query(
    'SELECT SUM(data_length + index_length) AS bytes FROM information_schema.tables WHERE table_schema = DATABASE()',
  )) as unknown as [[{ bytes: string }]];
  return { archive, megabytes: Number(bytes) / MIB };
}

interface Turn {
  readonly archive: Archive;
  readonly milliseconds: number;
}

/** Measures sends and each kind of read in turn, with their database cost. */
async function measureAll(
  bench: Bench,
  work: Program<ChatWork>,
  { archive, milliseconds }: Turn,
): Promise<Measurement> {
  const { realmId, behind } = archive;
  const order = { realmId, milliseconds, concurrency: CONCURRENCY };
  const works = {
    send: { kind: 'send', stream: 'archive 5', userIds: behind, ...order } as const,
    ...Object.fromEntries(
      Object.entries(READINGS).map(([name, narrow]) => [
        name,
        { kind: 'read', narrow, userIds: [archive.dense], ...order } as const,
      ]),
    ),
  };
  const figures: Record<string, number> = {};
  let units = 0;
  for (const [name, each] of Object.entries(works)) {
    const before = await databaseCpu(bench);
    const done = await work.run(each);
    const used = (await databaseCpu(bench)) - before;
    units += done.units;
    figures[`${name} p50`] = done.figures['p50']!;
    figures[`${name} p95`] = done.figures['p95']!;
    figures[`${name} mariadb µs`] = used / done.units;
  }
  return { units, figures };
}

const databaseCpu = async (bench: Bench): Promise<number> => (await bench.mariadb[0]?.cpu()) ?? 0;
