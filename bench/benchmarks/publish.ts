/** Redis CPU of appending events to a tenant's log, compared with a bare XADD. */
import { cpuOf, pairsByName, RATE, type Benchmark, type Pair, type Suite } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { watchProcess } from '../harness/watch';
import type { Publish } from '../programs/publish';
import type { Append } from '../programs/bare/xadd';

const DEPTH = 32;
/** Chosen so that both sides take about the given time. Each event takes 1.2 KB of Redis' memory. */
const LIMIT_PER_MS = 20;
const OURS_PER_MS = 10;

const wholeBatches = (events: number): number => Math.max(1, Math.round(events / DEPTH)) * DEPTH;

const benchmarkOf = (name: string, rows: number): Benchmark => ({
  name,
  about: `events of 1.2 KB into a tenant's log, ${rows} a call, ${DEPTH} under way`,
  limit: `bare XADD of 1.2 KB, pipelines of ${DEPTH}`,
  unit: 'event',
  figures: [cpuOf('redis'), RATE, cpuOf('sender')],
});

export const publishSuite: Suite = {
  benchmarks: [benchmarkOf('publish-single', 1), benchmarkOf('publish-batch', DEPTH)],
  async open({ redisUrl, environment, redis }) {
    const [append, publish] = await Promise.all([
      startProgram<Append>('programs/bare/xadd', { redisUrl, key: `${environment['NAMESPACE']}:bare` }),
      startProgram<Publish>('programs/publish', { environment }),
    ]);
    const pairOf = (rows: number): Pair => ({
      limit: {
        watched: [watchProcess('sender', append), redis],
        run: (milliseconds) => append.run({ events: wholeBatches(milliseconds * LIMIT_PER_MS), depth: DEPTH }),
      },
      ours: {
        watched: [watchProcess('sender', publish), redis],
        run: (milliseconds) =>
          publish.run({ events: wholeBatches(milliseconds * OURS_PER_MS), depth: DEPTH / rows, rows }),
      },
    });
    return pairsByName({ 'publish-single': pairOf(1), 'publish-batch': pairOf(DEPTH) });
  },
};
