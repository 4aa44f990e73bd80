import type { Middleware } from 'koa';
import { productsOf } from '../../../src/products';
import { openCluster, type Cluster, type TestNode } from '../../support/cluster';

let cluster: Cluster;
let node: TestNode;
const seen: string[] = [];
const watch: Middleware = (ctx, next) => {
  seen.push(`${ctx.method} ${ctx.path}`);
  return next();
};

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  node = await cluster.node({}, productsOf, [watch]);
});
afterAll(() => cluster.close());

test('A middleware that is added to the application sees a request of every route', async () => {
  const { body } = await node.call('/openapi.json');
  const paths = Object.entries(body.paths as Record<string, object>);
  const requests = paths.flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '1')] as const),
  );
  expect(requests.length).toBeGreaterThan(100);
  for (const prefix of ['/api/v1/', '/system/', '/ops/api/', '/webhooks/'])
    expect(requests.some(([, path]) => path.startsWith(prefix))).toBe(true);
  seen.length = 0;
  for (const [method, path] of requests) await node.call(path, { method });
  expect(seen).toEqual(requests.map((request) => request.join(' ')));
});

test('The poll fast path alone goes before the application, and POLL_FAST_PATH=off sends polls through it', async () => {
  const polled = async (at: TestNode) => {
    const headers = await at.basic('member@example.com');
    const { queue_id } = (await at.call('/api/v1/register', { method: 'POST', headers })).body as { queue_id: string };
    const query = { queue_id, last_event_id: '-1', dont_block: 'true' };
    seen.length = 0;
    for (let poll = 0; poll < 3; poll += 1) await at.call('/api/v1/events', { query, headers });
    return seen.length;
  };
  const [on, off] = await Promise.all(
    ['on', 'off'].map((choice) => cluster.node({ POLL_FAST_PATH: choice }, productsOf, [watch])),
  );
  expect(await polled(on!)).toBeLessThan(3);
  expect(await polled(off!)).toBe(3);
});
