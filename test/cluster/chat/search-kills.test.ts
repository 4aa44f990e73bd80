import { isDeepStrictEqual } from 'node:util';
import { callerOf, type Caller } from '../../support/chat/people';
import { talker, type Talker } from '../../support/chat/room';
import { openCluster, type Cluster, type Environment } from '../../support/kernel/cluster';
import { killAll, startProcess, type TestProcess } from '../../support/processes/processes';
import { until } from '../../support/until';

let cluster: Cluster;
let caller: Caller;
let member: Talker;

beforeAll(async () => {
  cluster = await openCluster({ JOB_LOCK_MS: '1500' });
  await cluster.seed();
  const node = await cluster.node();
  caller = await callerOf(node, 'member@example.com');
  member = await talker(node, 'member@example.com');
});
afterEach(killAll);
afterAll(() => cluster.close());

async function startWorker(more: Environment = {}): Promise<TestProcess> {
  const worker = startProcess('workers/main.ts', { ...cluster.environment, LOG_LEVEL: 'info', ...more }, [
    'chat-search',
  ]);
  await worker.line(/worker ready/);
  return worker;
}

const find = (word: string) => member.ids([['search', word]]);

test.each(['before', 'after'])(
  'Messages that a search worker was indexing when it was killed %s its commit are found by their current words',
  async (moment) => {
    const words = { first: `first${moment}`, second: `second${moment}`, changed: `changed${moment}` };
    const first = await member.toStream('test', 'kills', words.first);
    const doomed = await startWorker({ PAUSE_AT: `${moment}-commit` });
    await doomed.line(new RegExp(`paused at ${moment}-commit`));
    const second = await member.toStream('test', 'kills', words.second);
    expect((await caller.patch(`/messages/${first}`, { content: words.changed })).status).toBe(200);
    doomed.kill('SIGKILL');
    await doomed.ended;
    await startWorker();
    await until(
      async () => [await find(words.first), await find(words.second), await find(words.changed)],
      (found) => isDeepStrictEqual(found, [[], [second], [first]]),
    );
  },
);
