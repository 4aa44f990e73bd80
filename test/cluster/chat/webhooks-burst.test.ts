import type { Kernel } from '../../../src/kernel/kernel';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { deliver, deliveredIn, newBots, pendingOf, startWebhookWorker } from '../../support/chat/deliveries';
import { startMainNode, type MainNode } from '../../support/processes/main-node';
import type { TestBot } from '../../support/operators';
import { killAll } from '../../support/processes/processes';
import { until } from '../../support/until';

const BOTS = 20;
const DELIVERIES = 2000;
const AT_ONCE = 40;
const PATIENCE_MS = 120_000;

let cluster: Cluster;
let kernel: Kernel;
let nodes: MainNode[];
let bots: TestBot[];

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LEASE_MS: '2000', JOB_LOCK_MS: '2000' });
  await cluster.seed();
  kernel = await cluster.kernel();
  bots = await newBots(kernel, BOTS, 'burst');
  nodes = await Promise.all([startMainNode(cluster.environment), startMainNode(cluster.environment)]);
});
afterAll(async () => {
  await killAll();
  await cluster.close();
});

const nameOf = (index: number) => `d-${String(index).padStart(4, '0')}`;

/** Sends this many at once, alternating between the nodes; returns the statuses. */
async function burst(topic: string, count: number): Promise<Set<number>> {
  const statuses = new Set<number>();
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < count; index = next++) {
      const { status } = await deliver(nodes[index % 2]!, bots[index % BOTS]!, nameOf(index), topic);
      statuses.add(status);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return statuses;
}

test('Every delivery of a burst on two nodes becomes one message, in order for each bot, though a worker is killed', async () => {
  const doomed = await startWebhookWorker(cluster.environment, { NODE_NAME: 'doomed' });
  const other = await startWebhookWorker(cluster.environment, { NODE_NAME: 'other' });
  const taken = burst('killed', DELIVERIES);
  await until(async () => (await deliveredIn(kernel, 'killed')).length > DELIVERIES / 10, Boolean, PATIENCE_MS);
  doomed.kill('SIGKILL');
  expect(await doomed.ended).toBe('SIGKILL');
  expect(await taken).toEqual(new Set([200]));
  await until(
    () => pendingOf(kernel),
    (left) => left === 0,
    PATIENCE_MS,
  );
  const names = await deliveredIn(kernel, 'killed');
  expect(names).toHaveLength(DELIVERIES);
  expect(new Set(names).size).toBe(DELIVERIES);
  const rows = (await kernel.mysql('chat_deliveries').orderBy('id').select('bot_id', 'message_id')) as {
    bot_id: number;
    message_id: number;
  }[];
  for (const bot of bots) {
    const messages = rows.filter((row) => row.bot_id === bot.id).map((row) => row.message_id);
    expect(messages).toEqual([...messages].sort((a, b) => a - b));
  }
  other.kill('SIGTERM');
  expect(await other.ended).toBe(0);
});

test('A delivery that is repeated on both nodes, even after it was sent, becomes one message', async () => {
  await startWebhookWorker(cluster.environment);
  const all = await Promise.all([burst('twice', 200), burst('twice', 200)]);
  expect(all).toEqual([new Set([200]), new Set([200])]);
  await until(
    () => pendingOf(kernel),
    (left) => left === 0,
    PATIENCE_MS,
  );
  await burst('twice', 200);
  await until(
    () => pendingOf(kernel),
    (left) => left === 0,
    PATIENCE_MS,
  );
  const names = await deliveredIn(kernel, 'twice');
  expect(names).toHaveLength(200);
  expect(new Set(names).size).toBe(200);
});
