/** Marking fifty thousand messages as read, and registering, compared with a bare INSERT. */
import { pairsByName, type Side, type Suite } from '../harness/benchmark';
import { openArchive } from '../harness/archive';
import { startProgram } from '../harness/children';
import { watchProcess } from '../harness/watch';
import type { ChatWork } from '../programs/chat-work';
import type { Insert } from '../programs/bare/insert';
import { CALL, callInInserts, COUNT, SUM } from '../harness/database-figures';

const MANY = 64;

const marks = ['all', 'stream', 'topic'] as const;

export const markSuite: Suite = {
  benchmarks: [
    ...marks.map((what) => ({
      name: `mark-${what}`,
      about: `marking ${what === 'all' ? 'everything' : `a ${what}`} as read, 50 000 being unread`,
      limit: 'bare INSERT of 600 bytes by mysql2',
      unit: 'mark',
      figures: [callInInserts(5), { ...CALL, from: 'p50' }, COUNT],
    })),
    {
      name: 'register',
      about: 'the whole initial state: 1 000 people, 200 streams, 1 000 unread messages',
      limit: 'bare INSERT of 600 bytes by mysql2',
      unit: 'registration',
      figures: [{ ...CALL, target: { of: 'ours', is: 'at most', value: 100 } }, SUM, COUNT],
    },
  ],
  async open(bench) {
    const { databaseUrl, environment, mariadb, redis } = bench;
    const archive = await openArchive(bench);
    const [insert, work] = await Promise.all([
      startProgram<Insert>('programs/bare/insert', { databaseUrl, connections: MANY }),
      startProgram<ChatWork>('programs/chat-work', { environment }),
    ]);
    const limit: Side = {
      watched: [watchProcess('sender', insert), redis, ...mariadb],
      run: (milliseconds) => insert.run({ concurrency: 1, milliseconds }),
    };
    const watched = [watchProcess('sender', work), redis, ...mariadb];
    const mark = (what: (typeof marks)[number], userIds: readonly number[]): Side => ({
      watched,
      run: async (milliseconds) => {
        const order = { kind: 'mark', what, streamId: archive.streams[0]!, topic: 'topic 0' } as const;
        return wholeCall(await work.run({ ...order, realmId: archive.realmId, userIds, milliseconds }));
      },
    });
    const register: Side = {
      watched,
      run: (milliseconds) =>
        work.run({ kind: 'register', realmId: archive.realmId, userIds: [archive.dense], milliseconds }),
    };
    return pairsByName({
      'mark-all': { limit, ours: mark('all', archive.behind.slice(0, 100)) },
      'mark-stream': { limit, ours: mark('stream', archive.behind.slice(100, 200)) },
      'mark-topic': { limit, ours: mark('topic', archive.behind.slice(200)) },
      register: { limit, ours: register },
    });
  },
};

/** For a mark the whole call counts, not only its database time. */
const wholeCall = <M extends { figures: Readonly<Record<string, number>> }>(measurement: M): M => ({
  ...measurement,
  figures: { ...measurement.figures, p50: measurement.figures['call']! },
});
