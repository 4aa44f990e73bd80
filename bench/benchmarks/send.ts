/** Database cost of sending a message, compared with a bare INSERT. */
import { cpuOf, pairsByName, RATE, type Benchmark, type Side, type Suite } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { openCrowd } from '../harness/crowd';
import { watchProcess } from '../harness/watch';
import type { ChatWork } from '../programs/chat-work';
import type { Insert } from '../programs/bare/insert';
import { atMost, CALL, COUNT, inInserts, SUM } from '../harness/database-figures';

const MANY = 64;

const sends: readonly Benchmark[] = [
  {
    name: 'send-1',
    about: 'a message to a stream of 10 000, one at a time',
    limit: 'bare INSERT of 600 bytes by mysql2',
    unit: 'message',
    figures: [inInserts(4), SUM, CALL, COUNT],
  },
  {
    name: 'send-many-few',
    about: 'a message to a stream of 10 000, one at a time',
    limit: 'the same to a stream of ten',
    unit: 'message',
    figures: [atMost(1.2), CALL, COUNT],
  },
  {
    name: 'send-64',
    about: `messages to a stream of 10 000, ${MANY} at a time`,
    limit: `bare INSERT of 600 bytes by mysql2, ${MANY} at a time`,
    unit: 'message',
    figures: [{ ...cpuOf('mariadb'), target: { of: 'ratio', is: 'at most', value: 1 } }, RATE, cpuOf('sender')],
  },
];

export const sendSuite: Suite = {
  benchmarks: sends,
  async open(bench) {
    const { databaseUrl, environment, redis, mariadb } = bench;
    const crowd = await openCrowd(bench);
    await crowd.stream('ten', 10);
    await crowd.stream('ten thousand', 10_000);
    const [insert, work] = await Promise.all([
      startProgram<Insert>('programs/bare/insert', { databaseUrl, connections: MANY }),
      startProgram<ChatWork>('programs/chat-work', { environment }),
    ]);
    const userIds = crowd.people.slice(0, MANY).map(({ id }) => id);
    const bare = (concurrency: number): Side => ({
      watched: [watchProcess('sender', insert), redis, ...mariadb],
      run: (milliseconds) => insert.run({ concurrency, milliseconds }),
    });
    const send = (stream: string, concurrency: number): Side => ({
      watched: [watchProcess('sender', work), redis, ...mariadb],
      run: (milliseconds) =>
        work.run({ kind: 'send', stream, realmId: crowd.realmId, userIds, milliseconds, concurrency }),
    });
    return pairsByName({
      'send-1': { limit: bare(1), ours: send('ten thousand', 1) },
      'send-many-few': { limit: send('ten', 1), ours: send('ten thousand', 1) },
      'send-64': { limit: bare(MANY), ours: send('ten thousand', MANY) },
    });
  },
};
