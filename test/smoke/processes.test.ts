// Nodes and a worker as separate processes. test/cluster/ tests every way in which they can fail.
import { insistOnSaying, listen, type Listener } from '../support/chat/listener';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { deliver, newBots, startWebhookWorker } from '../support/chat/deliveries';
import { startMainNode, type MainNode } from '../support/processes/main-node';
import { killAll } from '../support/processes/processes';
import { until } from '../support/until';

let cluster: Cluster;
let steady: MainNode;
let doomed: MainNode;
let listener: Listener;
let sender: Record<string, string>;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  [steady, doomed] = await Promise.all([
    startMainNode(cluster.environment),
    startMainNode({ ...cluster.environment, PAUSE_AT: 'after-commit:2' }),
  ]);
  sender = await steady.basic('owner@example.com');
  listener = await listen({ urls: () => [steady.url], headers: await steady.basic('member@example.com') });
});
afterAll(async () => {
  await listener.stop();
  await killAll();
  await cluster.close();
});

const say = (urls: readonly string[], content: string) => insistOnSaying(urls, sender, { to: 'test', content });
const received = (count: number) =>
  until(
    () => listener.heard,
    (heard) => heard.length >= count,
  );

test('A message sent at one node reaches a client at another, also if its node is killed after the commit', async () => {
  await say([doomed.url], 'first');
  await received(1);
  const cut = say([doomed.url, steady.url], 'second');
  await doomed.line(/paused at after-commit/);
  doomed.kill('SIGKILL');
  await cut;
  await say([steady.url], 'third');
  await received(3);
  expect(listener).toMatchObject({ heard: ['first', 'second', 'third'], problems: [] });
});

test('A worker turns a delivery to a webhook into a message', async () => {
  const [bot] = await newBots(await cluster.kernel(), 1, 'smoke');
  await startWebhookWorker(cluster.environment);
  expect((await deliver(steady, bot!, 'delivered', 'smoke')).status).toBe(200);
  await received(4);
  expect(listener.heard[3]).toContain('delivered');
});
