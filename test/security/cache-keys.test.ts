import { basicHeader } from '../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { flood } from '../support/http/flood';
import { startMainNode } from '../support/processes/main-node';
import { killAll } from '../support/processes/processes';

let cluster: Cluster;
let node: TestNode;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', UNKNOWN_KEY_LIMIT: '600:20' });
  await cluster.seed();
  node = await cluster.node();
});
afterAll(async () => {
  await killAll();
  await cluster.close();
});

describe('Spellings of a key', () => {
  const EMAIL = 'member@example.com';
  const polls = '/api/v1/events?queue_id=0:0&last_event_id=-1&dont_block=true';
  let encoded = '';
  let key = '';

  beforeAll(async () => {
    encoded = (await node.basic(EMAIL)).Authorization.slice('Basic '.length);
    key = Buffer.from(encoded, 'base64').toString().split(':')[1]!;
  });

  const statuses = async (path: string, authorization: string) =>
    (await node.call(path, { headers: { Authorization: authorization } })).status;

  const wrong = {
    'junk behind it': () => `${encoded}!!!`,
    'junk inside it': () => `${encoded.slice(0, 8)}*${encoded.slice(8)}`,
    'a comment behind it': () => `${encoded} and more`,
    'a sign of equality too many': () => `${encoded}=`,
    'thirteen thousand letters of junk': () => encoded + '*'.repeat(13_000),
  };
  test.each(Object.entries(wrong))('A key with %s is 401, when polling too', async (_, spell) => {
    for (const path of ['/api/v1/users/me', polls]) expect(await statuses(path, `Basic ${spell()}`)).toBe(401);
    expect(await statuses('/api/v1/users/me', `Basic ${encoded}`)).toBe(200);
  });

  test('A key with its address in another case belongs to the same account', async () => {
    const { Authorization } = basicHeader(' MEMBER@example.com', key);
    expect(await statuses('/api/v1/users/me', Authorization)).toBe(200);
    expect(await statuses(polls, Authorization)).toBe(400);
  });
});

describe('Unknown keys', () => {
  const ask = (key: string) =>
    node.call('/api/v1/users/me', { headers: basicHeader('member@example.com', key.padEnd(32, 'x')) });

  test('Unknown keys are refused without a lookup after some attempts, and a known key from that address never is', async () => {
    const known = await node.basic('member@example.com');
    expect((await node.call('/api/v1/users/me', { headers: known })).status).toBe(200);
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => ask(`guess${at}`)));
    // A refused caller would retry at once, so its refusal is delayed.
    expect(performance.now() - began).toBeGreaterThan(900);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(20);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    const refused = answers.find(({ status }) => status === 429)!;
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.body).toMatchObject({ result: 'error', msg: 'Too many unknown keys were sent from this address' });
    for (const path of ['/api/v1/users/me', '/api/v1/users']) {
      expect((await node.call(path, { headers: known })).status).toBe(200);
    }
  });

  test.each([
    ['a company', '/system/company', { headers: { Authorization: 'Bearer nobody', 'X-User-Id': 'primary' } }],
    ['a carrier', '/webhooks/texting/simulated/nobody', { method: 'POST', raw: '{}' }],
    ['an invitation', '/invitations/accept', { json: { token: 'nobody' } }],
    ['a webhook', `/api/v1/external/helloworld?api_key=${'n'.repeat(32)}`, { json: {} }],
    ['a picture', `/avatar/1?api_key=${'n'.repeat(32)}`, {}],
  ])('Unknown keys are counted together, including those of %s', async (_, path, request) => {
    await Promise.all(Array.from({ length: 25 }, (__, at) => ask(`more${at}`)));
    expect((await node.call(path, request)).status).toBe(429);
  });
});

describe('Node with little memory', () => {
  const LONG = 'x'.repeat(14_000);
  const floods = {
    'pictures of addresses of 14 KB': (at: number) => ({ path: `/avatar/${LONG}${at}` }),
    'host names of 14 KB': (at: number) => ({ path: '/api/v1/server_settings', headers: { Host: `${at}.${LONG}` } }),
  };

  test.each(Object.entries(floods))('A node with little memory survives six thousand %s', async (_, requestOf) => {
    // Ninety megabytes of it would be too much.
    const small = await startMainNode({ ...cluster.environment, NODE_OPTIONS: '--max-old-space-size=110' });
    const headers = await small.basic('member@example.com');
    const counts = await flood({ port: small.port, connections: 20 }, (at) => {
      const request: { path: string; headers?: object } = requestOf(at);
      return at < 6000 ? { ...request, headers: { ...headers, ...request.headers } } : undefined;
    });
    expect(counts).not.toHaveProperty('failed');
    expect((await small.call('/healthz')).status).toBe(200);
    small.kill('SIGTERM');
    expect(await small.ended).toBe(0);
  });
});
