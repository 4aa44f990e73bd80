/**
 * Expensive calls are shared by caller: one guest's many requests wait behind each other, and others are served in
 * time.
 */
import { Agent, request } from 'node:http';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { startMainNode, type MainNode } from '../support/processes/main-node';
import { killAll } from '../support/processes/processes';

let cluster: Cluster;
let node: MainNode;
let guest: { Authorization: string };
let member: { Authorization: string };

const CROWD = 300;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await startMainNode(cluster.environment);
  guest = await node.basic('guest@example.com');
  member = await node.basic('member@example.com');
});
afterAll(async () => {
  await killAll();
  await cluster.close();
});

interface Heard {
  readonly status: number;
  readonly retryAfter: number;
}

/**
 * Sends requests over this many connections until it is told to stop. The connections are open before the first
 * request, so that all send it at once, however slow this process is.
 */
async function crowd(method: string, path: string, count: number): Promise<{ stop(): Promise<Heard[]> }> {
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  const heard: Heard[] = [];
  let isOver = false;
  const ask = (how: string, what: string) =>
    new Promise<void>((resolve) => {
      const headers = { ...guest, 'Content-Length': '0' };
      const call = request(`${node.url}${what}`, { agent, method: how, headers }, (response) => {
        if (what === path)
          heard.push({ status: response.statusCode!, retryAfter: Number(response.headers['retry-after']) });
        response.resume().on('close', () => resolve());
      });
      call.on('error', () => resolve()).end();
    });
  const run = async () => {
    while (!isOver) await ask(method, path);
  };
  await Promise.all(Array.from({ length: count }, () => ask('GET', '/healthz')));
  const all = Array.from({ length: count }, run);
  return {
    async stop() {
      isOver = true;
      await Promise.all(all);
      agent.destroy();
      return heard;
    },
  };
}

describe.each([
  ['registers', 'POST', '/api/v1/register'],
  ['lists users', 'GET', '/api/v1/users'],
  ['reads messages', 'GET', '/api/v1/messages?anchor=10000000000000000&num_before=100&num_after=0'],
])('Flood of one guest that %s', (_, method, path) => {
  test('Every call of another member succeeds during the flood of a guest, which gets 200 or 503 with Retry-After', async () => {
    const others = await crowd(method, path, CROWD);
    const statuses: number[] = [];
    for (let times = 0; times < 15; times += 1) {
      const mine = await node.call(path, { method, headers: member, ...(method === 'POST' ? { form: {} } : {}) });
      statuses.push(mine.status);
    }
    const heard = await others.stop();
    expect(statuses).toEqual(statuses.map(() => 200));
    expect(new Set(heard.map(({ status }) => status))).toEqual(new Set([200, 503]));
    const advice = heard.filter(({ status }) => status === 503).map(({ retryAfter }) => retryAfter);
    expect(advice.every((seconds) => seconds >= 1)).toBe(true);
  });
});

test('A poll that also registers waits in the same queue as registrations', async () => {
  const others = await crowd('GET', '/api/v1/events', CROWD);
  const mine = await node.call('/api/v1/register', { form: {}, headers: member });
  const heard = await others.stop();
  expect(mine.status).toBe(200);
  expect(heard.some(({ status }) => status === 503)).toBe(true);
});
