import { removeOperator } from '../../../src/ops/commands/remove-operator';
import { basicHeader, bearer } from '../../support/client';
import { openCluster, type Cluster, type TestNode } from '../../support/cluster';
import { operator, type OperatorClient } from '../../support/operators';

let cluster: Cluster;
let node: TestNode;
let full: OperatorClient;
let reader: OperatorClient;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  node = await cluster.node();
  // Boards show queues that are there.
  await (
    await node.kernel.jobs.shelf.queue('test-work')
  ).add('x', { payload: { token: 'canary-4711' } }, { jobId: 'one' });
  full = await operator(node.kernel, node, 'ada', 'full');
  reader = await operator(node.kernel, node, 'rita', 'read');
});
afterAll(() => cluster.close());

interface Operation {
  readonly tags: readonly string[];
  readonly security: readonly object[];
}

/** Every route there is, from the document that describes them. */
async function operatorRoutes(): Promise<{ method: string; path: string }[]> {
  const { body } = await node.call('/openapi.json');
  return Object.entries(body.paths as Record<string, Record<string, Operation>>)
    .filter(([path]) => path.startsWith('/ops/api/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })));
}
const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, 'test-work');

describe('The operators’ API', () => {
  test('lets nobody in without an operator’s key: no organization’s role, no company’s key, no other way', async () => {
    const routes = await operatorRoutes();
    expect(routes.length).toBeGreaterThan(12);
    const admin = await node.basic('owner@example.com');
    const strangers = [
      {},
      admin,
      bearer('demo-key-one'),
      bearer('x'.repeat(40)),
      basicHeader('ada', 'x'.repeat(40)),
      basicHeader('rita', full.key),
    ];
    for (const { method, path } of routes) {
      for (const headers of strangers) {
        const answer = await node.call(filled(path), { method, headers });
        expect({ method, path, status: answer.status }).toEqual({ method, path, status: 401 });
        expect(answer.body).toMatchObject({ status: 401, title: 'Unauthorized', detail: expect.any(String) });
      }
    }
  });

  test('lets a read-only operator look at everything and change nothing', async () => {
    for (const { method, path } of await operatorRoutes()) {
      const headers = { Authorization: `Bearer ${reader.key}` };
      const { status } = await node.call(filled(path), { method, headers, ...(method === 'GET' ? {} : { json: {} }) });
      if (method === 'GET') expect([200, 404]).toContain(status);
      else expect({ method, path, status }).toEqual({ method, path, status: 403 });
    }
    expect((await reader.get('/me')).body).toEqual({ name: 'rita', access: 'read' });
  });

  test('answers are kept by nobody, and errors are problems', async () => {
    const { headers } = await reader.get('/queues');
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(await reader.get('/jobs', { limit: '0' })).toMatchObject({
      status: 400,
      body: { status: 400, detail: /limit/ },
    });
    expect(await reader.get('/jobs', { state: 'odd' })).toMatchObject({ status: 400 });
    expect(await reader.get('/jobs', { desk: 'nothing' })).toMatchObject({ status: 404 });
    expect(await reader.get('/jobs/deliveries/4711')).toMatchObject({ status: 404 });
    expect(await reader.get('/nothing')).toMatchObject({ status: 404 });
  });

  test('a parameter that a route does not know is refused by name, everywhere', async () => {
    for (const { method, path } of await operatorRoutes()) {
      const headers = { Authorization: `Bearer ${full.key}` };
      const asked = `${filled(path)}?odd_one=1`;
      const answer = await node.call(asked, { method, headers, ...(method === 'GET' ? {} : { json: {} }) });
      expect({ asked, status: answer.status }).toEqual({ asked, status: 400 });
      expect(answer.body.detail).toContain('odd_one');
    }
  });

  test('a page begins before something that is there', async () => {
    for (const before of ['x', '4711', '1e3']) {
      for (const desk of ['deliveries', 'orders', 'jobs']) {
        expect(await reader.get('/jobs', { desk, before })).toMatchObject({
          status: 400,
          body: { detail: `before: there is no "${before}" among ${desk}` },
        });
      }
      expect(await reader.get('/jobs', { before })).toMatchObject({ status: 400 });
      expect(await reader.get('/dead-letters', { before })).toMatchObject({ status: 400 });
    }
    expect(await reader.get('/jobs', { desk: 'jobs', before: 'test-work:one' })).toMatchObject({ status: 200 });
  });

  test('access ends at once', async () => {
    const short = await operator(node.kernel, node, 'tim', 'full');
    expect((await short.get('/me')).status).toBe(200);
    await removeOperator(node.kernel, 'tim');
    expect((await short.get('/me')).status).toBe(401);
  });
});

describe('Bull Board', () => {
  const board = (path: string, ask: { method?: string; headers?: Record<string, string> } = {}) =>
    node.call(`/ops/queues${path}`, ask);
  const as = (name: string, key: string) => basicHeader(name, key);
  const CLEAN = '/api/queues/test-work/pause';

  test('asks browsers for name and key, also for its files', async () => {
    for (const path of ['', '/', '/api/queues', '/static/images/logo.svg']) {
      const answer = await board(path);
      expect({ path, status: answer.status }).toEqual({ path, status: 401 });
      expect(answer.headers.get('www-authenticate')).toContain('Basic');
    }
    expect((await board('/', { headers: await node.basic('owner@example.com') })).status).toBe(401);
    expect((await board('/', { headers: as('ada', 'y'.repeat(40)) })).status).toBe(401);
  });

  test('is served from here alone, under a strict policy', async () => {
    const page = await board('/', { headers: as('ada', full.key) });
    expect(page.status).toBe(200);
    expect(page.text).toContain('Partyline queues');
    expect(page.text).not.toMatch(/(src|href)="https?:/);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const scripts = [...page.text.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map((match) => match[1]!);
    expect(scripts.length).toBeGreaterThan(2);
    for (const script of scripts) {
      expect((await board(`/${script}`, { headers: as('ada', full.key) })).status).toBe(200);
    }
  });

  test('shows jobs with credentials masked', async () => {
    const list = await board('/api/queues?activeQueue=test-work&status=waiting', { headers: as('rita', reader.key) });
    expect(list.body.queues.map(({ name }: { name: string }) => name)).toContain('test-work');
    const one = await board('/api/queues/test-work/one', { headers: as('rita', reader.key) });
    expect(one.status).toBe(200);
    expect(list.text + one.text).not.toContain('canary');
    expect(one.text).toContain('********');
  });

  test('a read-only operator changes nothing with it', async () => {
    const { body } = await board('/api/queues', { headers: as('rita', reader.key) });
    expect(body.queues.every(({ readOnlyMode }: { readOnlyMode: boolean }) => readOnlyMode)).toBe(true);
    expect((await board(CLEAN, { method: 'PUT', headers: as('rita', reader.key) })).status).toBe(403);
    expect(await (await node.kernel.jobs.shelf.queue('test-work')).isPaused()).toBe(false);
  });

  test.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a neighbour', { 'Sec-Fetch-Site': 'same-site' }],
    ['another origin', { Origin: 'https://evil.example' }],
    ['nowhere', { Origin: 'null' }],
  ])('%s changes nothing with a password the browser remembers', async (_, headers) => {
    const answer = await board(CLEAN, { method: 'PUT', headers: { ...as('ada', full.key), ...headers } });
    expect([400, 403]).toContain(answer.status);
    expect(await (await node.kernel.jobs.shelf.queue('test-work')).isPaused()).toBe(false);
    const api = await node.call('/ops/api/queues/test-work/pause', {
      method: 'POST',
      headers: { ...as('ada', full.key), ...headers },
    });
    expect([400, 403]).toContain(api.status);
  });

  test('a full operator does, and it is remembered', async () => {
    const own = { Origin: node.url, 'Sec-Fetch-Site': 'same-origin' };
    expect((await board(CLEAN, { method: 'PUT', headers: { ...as('ada', full.key), ...own } })).status).toBe(200);
    expect(await (await node.kernel.jobs.shelf.queue('test-work')).isPaused()).toBe(true);
    const { body } = await full.get('/audit', { limit: '1' });
    expect(body.entries[0]).toMatchObject({
      operator: 'ada',
      door: 'board',
      action: 'pause',
      target: 'test-work',
    });
  });
});

describe('What Bull Board is asked wrongly', () => {
  const ask = (path: string, method: string, raw?: string) =>
    node.call(`/ops/queues${path}`, {
      method,
      headers: { ...basicHeader('ada', full.key), 'Content-Type': 'application/json' },
      ...(raw === undefined ? {} : { raw }),
    });
  const problem = (status: number) => ({
    status,
    body: { type: 'about:blank', title: expect.any(String), status, detail: expect.stringMatching(/./) },
  });

  test('is a problem, as at the API', async () => {
    expect(await ask('/api/queues/test-work/pause', 'PUT', '{"broken')).toMatchObject(problem(400));
    expect(await ask('/api/nothing', 'GET')).toMatchObject(problem(404));
    expect(await ask('/api/queues/nothing/pause', 'PUT')).toMatchObject(problem(404));
    expect(await node.call('/ops/queues/api/queues')).toMatchObject(problem(401));
    const headers = basicHeader('rita', reader.key);
    expect(await node.call('/ops/queues/api/queues/pause', { method: 'PUT', headers })).toMatchObject(problem(403));
  });

  test.each(['/api/queues/test-work/add', '/api/queues/test-work/ADD'])('%s adds no job', async (path) => {
    const queue = await node.kernel.jobs.shelf.queue('test-work');
    const before = await queue.count();
    expect(await ask(path, 'POST', '{"name":"x","data":{},"options":{}}')).toMatchObject(problem(405));
    expect(await queue.count()).toBe(before);
  });

  test('and jobs are not rewritten: their masks would be written into them', async () => {
    const { status } = await ask('/api/queues/test-work/one/update-data', 'PATCH', '{"jobData":{"n":1}}');
    expect([404, 405]).toContain(status);
    expect((await (await node.kernel.jobs.shelf.queue('test-work')).getJob('one'))!.data).toEqual({
      payload: { token: 'canary-4711' },
    });
  });
});

test('Guessing ends soon, and does not keep operators out', async () => {
  let last = 0;
  for (let guess = 0; guess < 310 && last !== 429; guess++) {
    last = (await node.call('/ops/api/me', { headers: bearer(`${'g'.repeat(37)}${guess + 100}`) })).status;
  }
  expect(last).toBe(429);
  expect((await full.get('/me')).status).toBe(200);
});
