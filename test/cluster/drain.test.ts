import { connect as connectTo } from 'node:net';
import { io } from 'socket.io-client';
import { clientOf } from '../support/http/client';
import { openCluster, type Cluster, type Environment } from '../support/kernel/cluster';
import { killAll, startProcess } from '../support/processes/processes';
import { until } from '../support/until';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster();
});
afterEach(killAll);
afterAll(() => cluster.close());

async function startNode(more: Environment = {}) {
  const node = startProcess('test/support/processes/probe/node.ts', { ...cluster.environment, ...more });
  const [, port] = await node.line(/listening on (\d+)/);
  const url = `http://127.0.0.1:${port}`;
  return { ...node, url, ...clientOf(url) };
}

async function connect(url: string, transport: string) {
  const socket = io(url, { path: '/ws/', transports: [transport], forceNew: true, reconnection: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

describe('SIGTERM', () => {
  test('A node that gets SIGTERM first stops being ready, while requests are still served', async () => {
    const node = await startNode({ DRAIN_NOTICE_MS: '1500' });
    expect((await node.call('/readyz')).status).toBe(200);
    node.kill('SIGTERM');
    await until(
      async () => (await node.call('/readyz')).body,
      (body: { draining: string }) => body.draining === 'yes',
    );
    expect((await node.call('/readyz')).status).toBe(503);
    expect((await node.call('/healthz')).status).toBe(200);
    expect((await node.call('/api/v1/server_settings')).status).toBe(200);
    expect(await node.ended).toBe(0);
  });

  test('A draining node answers held polls, finishes requests, closes sockets so that they reconnect, and exits cleanly', async () => {
    const node = await startNode();
    const held = node.call('/probe/hold');
    const slow = node.call('/probe/slow');
    const sockets = [await connect(node.url, 'websocket'), await connect(node.url, 'polling')];
    const reasons = sockets.map((socket) => new Promise((resolve) => socket.once('disconnect', resolve)));
    await new Promise((resolve) => setTimeout(resolve, 100));
    node.kill('SIGTERM');
    expect(await held).toMatchObject({ status: 200, body: { released: true } });
    expect(await slow).toMatchObject({ status: 200, body: { done: true } });
    // Not "io server disconnect", after which clients would not reconnect.
    for (const reason of await Promise.all(reasons)) expect(reason).toMatch(/^transport (close|error)$/);
    expect(await node.ended).toBe(0);
    await expect(node.call('/healthz')).rejects.toThrow();
  });

  test('A draining node does not wait for a connection that was opened and never used', async () => {
    const node = await startNode();
    const idle = connectTo(Number(new URL(node.url).port), '127.0.0.1');
    idle.on('error', () => {});
    await new Promise((resolve) => idle.once('connect', resolve));
    node.kill('SIGTERM');
    // It would be another code if the deadline had ended it.
    expect(await node.ended).toBe(0);
    idle.destroy();
  });

  test('A draining node exits at its hard deadline even if a request never ends', async () => {
    const node = await startNode({ DRAIN_DEADLINE_MS: '1000' });
    const never = node.call('/probe/forever').catch(() => 'cut');
    await new Promise((resolve) => setTimeout(resolve, 100));
    node.kill('SIGTERM');
    expect(await node.ended).toBe(1);
    expect(await never).toBe('cut');
  });

  test('A worker that gets SIGTERM exits cleanly', async () => {
    const worker = startProcess('workers/main.ts', { ...cluster.environment, LOG_LEVEL: 'info' });
    await worker.line(/worker ready/);
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });
});

describe('Sockets on several nodes', () => {
  test("Sockets on different nodes receive each other's events, under /ws and /ws/", async () => {
    const [one, two] = [await startNode(), await startNode()];
    const speaker = await connect(one.url, 'websocket');
    const listener = io(two.url, { path: '/ws', transports: ['websocket'], forceNew: true, reconnection: false });
    await new Promise<void>((resolve) => listener.once('connect', resolve));
    const heard = new Promise((resolve) => listener.once('heard', resolve));
    const shout = setInterval(() => speaker.emit('shout', 'hello'), 50);
    expect(await heard).toBe('hello');
    clearInterval(shout);
    speaker.close();
    listener.close();
  });
});

describe('Failed starts', () => {
  test('A process that cannot reach Redis says so in one line and exits', async () => {
    const nowhere = startProcess('src/main.ts', { ...cluster.environment, REDIS_URL: 'redis://127.0.0.1:1' });
    expect(await nowhere.ended).toBe(1);
    expect(nowhere.output()).toContain('Redis at 127.0.0.1:1 cannot be reached');
  });

  test('A process with a wrong configuration reports every mistake at once', async () => {
    const mistaken = startProcess('src/main.ts', { ...cluster.environment, PORT: 'x', NODES: '0', RATE_LIMIT: 'lots' });
    expect(await mistaken.ended).toBe(1);
    for (const name of ['PORT', 'NODES', 'RATE_LIMIT']) expect(mistaken.output()).toContain(name);
  });

  test('A worker process that is given an unknown name exits and prints that name', async () => {
    const worker = startProcess('workers/main.ts', cluster.environment, ['typist']);
    expect(await worker.ended).toBe(1);
    expect(worker.output()).toContain('typist');
  });
});
