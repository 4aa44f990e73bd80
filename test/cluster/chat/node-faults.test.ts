// A conversation while the node that sends, or the node that holds polls and streams, dies or freezes.
import { setTimeout as wait } from 'node:timers/promises';
import { listen, insistOnSaying, type Listener } from '../../support/chat/listener';
import { openCluster, type Cluster, type Environment } from '../../support/kernel/cluster';
import { startMainNode, type MainNode } from '../../support/processes/main-node';
import { killAll } from '../../support/processes/processes';
import { until } from '../../support/until';

/** npm run faults freezes a node for longer than a test of npm test may take. */
const FREEZE_MS = Number(process.env['FAULT_FREEZE_MS'] ?? 0);

let cluster: Cluster;
let steady: MainNode;
let sender: Record<string, string>;
let subscribers: Record<string, string>[];
const listeners: Listener[] = [];
const others: MainNode[] = [];

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', EVENTS_RATE_LIMIT: 'off' });
  await cluster.seed();
  steady = await startMainNode(cluster.environment);
  sender = await steady.basic('owner@example.com');
  subscribers = await Promise.all(['member', 'other', 'guest'].map((name) => steady.basic(`${name}@example.com`)));
});
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.stop()));
  for (const node of others.splice(0)) node.kill('SIGKILL');
});
afterAll(async () => {
  await killAll();
  await cluster.close();
});

async function another(more: Environment = {}): Promise<MainNode> {
  const node = await startMainNode({ ...cluster.environment, ...more });
  others.push(node);
  return node;
}

async function listenAt(urls: () => readonly string[], patienceMs?: number): Promise<Listener[]> {
  const own = await Promise.all(
    subscribers.map((headers, at) =>
      listen({ urls, headers, isStream: at > 0, ...(patienceMs === undefined ? {} : { patienceMs }) }),
    ),
  );
  listeners.push(...own);
  return own;
}

const say = (urls: readonly string[], content: string) => insistOnSaying(urls, sender, { to: 'test', content });

/** Every client has received exactly these messages, in this order, without registering again. */
async function expectHeard(all: readonly Listener[], sent: readonly string[]): Promise<void> {
  for (const listener of all)
    await until(
      () => listener.heard.length,
      (count) => count >= sent.length,
    );
  for (const { heard, problems, registrations } of all) {
    expect({ heard, problems, registrations: registrations() }).toEqual({
      heard: sent,
      problems: [],
      registrations: 1,
    });
  }
}

describe('Node killed after commit and before publication', () => {
  test.each(['after-commit', 'before-publish'])(
    'A message of a node that is killed at %s reaches every client once and in its place',
    async (point) => {
      const doomed = await another({ PAUSE_AT: point });
      const all = await listenAt(() => [steady.url]);
      const before = `before ${point}`;
      await say([steady.url], before);
      const cut = insistOnSaying([doomed.url, steady.url], sender, { to: 'test', content: point });
      await doomed.line(new RegExp(`paused at ${point}`));
      // Messages that others send meanwhile come after it, although it is not published yet.
      const after = say([steady.url], `after ${point}`);
      await wait(100);
      doomed.kill('SIGKILL');
      const [id, next] = await Promise.all([cut, after]);
      expect(next).toBeGreaterThan(id);
      await expectHeard(all, [before, point, `after ${point}`]);
    },
  );
});

describe('Node killed while it holds polls', () => {
  test('Polls of a killed node continue at another node and miss no event', async () => {
    const doomed = await another();
    let urls = [doomed.url];
    const all = await listenAt(() => urls);
    const sent = ['one', 'two', 'three', 'four', 'five', 'six'];
    for (const content of sent.slice(0, 3)) await say([steady.url], content);
    urls = [doomed.url, steady.url];
    doomed.kill('SIGKILL');
    for (const content of sent.slice(3)) await say([steady.url], content);
    await expectHeard(all, sent);
  });
});

describe('Frozen node', () => {
  test('Clients of a frozen node continue at another node, and the node publishes nothing twice when it resumes', async () => {
    const frozen = await another();
    const all = await listenAt(() => [frozen.url, steady.url], 1000);
    const sent = Array.from({ length: 10 }, (_, at) => `message ${at}`);
    for (const content of sent.slice(0, 3)) await say([frozen.url, steady.url], content);
    frozen.kill('SIGSTOP');
    for (const content of sent.slice(3, 7)) await say([steady.url], content);
    // Until the clients have given up on it and gone to the other node.
    for (const listener of all) await until(() => listener.heard.length >= 7);
    await wait(FREEZE_MS);
    frozen.kill('SIGCONT');
    for (const content of sent.slice(7)) await say([frozen.url, steady.url], content);
    await expectHeard(all, sent);
  });

  test('A message of a node that freezes before publication is published by another node, in its place', async () => {
    const frozen = await another({ PAUSE_AT: 'before-publish' });
    const all = await listenAt(() => [steady.url]);
    const cut = insistOnSaying([frozen.url, steady.url], sender, { to: 'test', content: 'in the middle' });
    await frozen.line(/paused at before-publish/);
    frozen.kill('SIGSTOP');
    await say([steady.url], 'meanwhile');
    await expectHeard(all, ['in the middle', 'meanwhile']);
    frozen.kill('SIGCONT');
    await cut;
    await expectHeard(all, ['in the middle', 'meanwhile']);
  });
});
