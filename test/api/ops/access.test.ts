import { removeOperator } from '../../../src/ops/commands/operators';
import { basicHeader, bearer } from '../../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { operator, type OperatorClient } from '../../support/operators';

let cluster: Cluster;
let node: TestNode;
let full: OperatorClient;
let reader: OperatorClient;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  node = await cluster.node();
  await (
    await node.kernel.jobs.registry.queue('test-work')
  ).add('x', { payload: { token: 'canary-4711' } }, { jobId: 'one' });
  full = await operator(node.kernel, node, 'ada', 'full');
  reader = await operator(node.kernel, node, 'rita', 'read');
});
afterAll(() => cluster.close());

interface Operation {
  readonly tags: readonly string[];
  readonly security: readonly object[];
}

/** All routes, from the document that describes them. */
async function operatorRoutes(): Promise<{ method: string; path: string }[]> {
  const { body } = await node.call('/openapi.json');
  return Object.entries(body.paths as Record<string, Record<string, Operation>>)
    .filter(([path]) => path.startsWith('/ops/api/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })));
}
const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, 'test-work');

describe('The operators’ API', () => {
  test('The operators’ API refuses every caller without an operator’s key, whatever other role or key the caller has', async () => {
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

  test('A read-only operator can read everything and change nothing', async () => {
    for (const { method, path } of await operatorRoutes()) {
      const headers = { Authorization: `Bearer ${reader.key}` };
      const { status } = await node.call(filled(path), { method, headers, ...(method === 'GET' ? {} : { json: {} }) });
      if (method === 'GET') expect([200, 404]).toContain(status);
      else expect({ method, path, status }).toEqual({ method, path, status: 403 });
    }
    expect((await reader.get('/me')).body).toEqual({ name: 'rita', access: 'read' });
  });

  test('Responses of the operators’ API are not cached, and its errors are problems', async () => {
    const { headers } = await reader.get('/queues');
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(await reader.get('/jobs', { limit: '0' })).toMatchObject({
      status: 400,
      body: { status: 400, detail: /limit/ },
    });
    expect(await reader.get('/jobs', { state: 'odd' })).toMatchObject({ status: 400 });
    expect(await reader.get('/jobs', { work_queue: 'nothing' })).toMatchObject({ status: 404 });
    expect(await reader.get('/jobs/deliveries/4711')).toMatchObject({ status: 404 });
    expect(await reader.get('/nothing')).toMatchObject({ status: 404 });
  });

  test('Every route of the operators’ API refuses an unknown parameter by its name', async () => {
    for (const { method, path } of await operatorRoutes()) {
      const headers = { Authorization: `Bearer ${full.key}` };
      const asked = `${filled(path)}?odd_one=1`;
      const answer = await node.call(asked, { method, headers, ...(method === 'GET' ? {} : { json: {} }) });
      expect({ asked, status: answer.status }).toEqual({ asked, status: 400 });
      expect(answer.body.detail).toContain('odd_one');
    }
  });

  test('A page of jobs or dead letters is refused if its cursor is unknown', async () => {
    for (const before of ['x', '4711', '1e3']) {
      for (const workQueue of ['deliveries', 'orders', 'jobs']) {
        expect(await reader.get('/jobs', { work_queue: workQueue, before })).toMatchObject({
          status: 400,
          body: { detail: `before: there is no "${before}" among ${workQueue}` },
        });
      }
      expect(await reader.get('/jobs', { before })).toMatchObject({ status: 400 });
      expect(await reader.get('/dead-letters', { before })).toMatchObject({ status: 400 });
    }
    expect(await reader.get('/jobs', { work_queue: 'jobs', before: 'test-work:one' })).toMatchObject({ status: 200 });
  });

  test('An operator who is removed loses access at once', async () => {
    const short = await operator(node.kernel, node, 'tim', 'full');
    expect((await short.get('/me')).status).toBe(200);
    await removeOperator(node.kernel.transaction, 'tim');
    expect((await short.get('/me')).status).toBe(401);
  });
});

test('Guessing operator keys is soon refused, and does not lock operators out', async () => {
  let last = 0;
  for (let guess = 0; guess < 310 && last !== 429; guess++) {
    last = (await node.call('/ops/api/me', { headers: bearer(`${'g'.repeat(37)}${guess + 100}`) })).status;
  }
  expect(last).toBe(429);
  expect((await full.get('/me')).status).toBe(200);
});
