import { bearer } from '../../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { operator, type OperatorClient } from '../../support/operators';

let cluster: Cluster;
let node: TestNode;
let ada: OperatorClient;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  ada = await operator(node.kernel, node, 'ada', 'full');
});
afterAll(() => cluster.close());

const as = (key: string, method: string, path: string, json?: object) =>
  node.call(`/ops/api${path}`, { method, headers: bearer(key), ...(json && { json }) });
const last = async () => (await ada.get('/audit', { limit: '1' })).body.entries[0];

test('An operator adds another, changes their rights and key, and removes them; each is in the audit trail', async () => {
  const made = await ada.post('/operators', { name: 'Grace', access: 'read' });
  expect(made.body).toEqual({ name: 'Grace', key: expect.stringMatching(/^\w{40}$/) });
  const { key } = made.body;
  expect(await last()).toMatchObject({ operator: 'ada', action: 'operator-add', target: 'Grace: read' });
  expect((await ada.post('/operators', { name: 'Grace', access: 'full' })).status).toBe(400);
  expect((await as(key, 'POST', '/operators', { name: 'Eve', access: 'full' })).status).toBe(403);
  expect((await as(key, 'GET', '/operators')).body.operators).toEqual([
    { name: 'ada', access: 'full', created_at: expect.any(String) },
    { name: 'Grace', access: 'read', created_at: expect.any(String) },
  ]);

  expect((await as(ada.key, 'PATCH', '/operators/Grace', { access: 'full' })).body).toEqual({
    name: 'Grace',
    access: 'full',
  });
  expect(await last()).toMatchObject({ action: 'operator-change', target: 'Grace: read → full' });
  expect((await as(key, 'POST', '/operators', { name: 'Eve', access: 'read' })).status).toBe(200);

  const renewed = (await ada.post('/operators/Grace/key')).body.key;
  expect((await as(key, 'GET', '/me')).status).toBe(401);
  expect((await as(renewed, 'GET', '/me')).body).toEqual({ name: 'Grace', access: 'full' });
  expect(JSON.stringify(await node.kernel.mysql('ops_audit'))).not.toContain(renewed);

  expect((await as(ada.key, 'DELETE', '/operators/Grace')).status).toBe(200);
  expect((await as(renewed, 'GET', '/me')).status).toBe(401);
  expect(await last()).toMatchObject({ action: 'operator-remove', target: 'Grace' });
});

test('Nobody takes away their own rights, and unknown operators are refused', async () => {
  for (const [method, path, json, status] of [
    ['PATCH', '/operators/ada', { access: 'read' }, 400],
    ['DELETE', '/operators/ada', undefined, 400],
    ['PATCH', '/operators/Nobody', { access: 'read' }, 404],
    ['POST', '/operators/Nobody/key', {}, 404],
    ['DELETE', '/operators/Nobody', undefined, 404],
    ['POST', '/operators', { name: '', access: 'read' }, 400],
    ['POST', '/operators', { name: 'Eve', access: 'root' }, 400],
  ] as const)
    expect([path, (await as(ada.key, method, path, json)).status]).toEqual([path, status]);
});
