import { seedDemo } from '../../../../src/telephony/commands/seed-demo';
import { openCluster, type Cluster } from '../../../support/kernel/cluster';
import { actAs, INSTANCE_ONE, type Person } from '../people';

let cluster: Cluster;
let owner: Person;

// Without a worker, so that no order is ever finished.
beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', PBX_OPERATION_MS: '500' });
  await seedDemo(await cluster.kernel(), 'http://127.0.0.1:9981');
  owner = actAs(await cluster.node(), 'demo-key-one');
});
afterAll(() => cluster.close());

test('An asynchronous order that is repeated without Prefer gets 202 while it is not finished', async () => {
  const path = `/instances/${INSTANCE_ONE}/bulks/extensions`;
  const order = { data: { id: 101, name: 'At leisure' } };
  const key = { 'Idempotency-Key': 'at-leisure' };
  const placed = await owner('POST', path, order, { headers: { ...key, Prefer: 'respond-async' } });
  expect(placed.status).toBe(202);
  const again = await owner('POST', path, order, { headers: key });
  expect(again).toMatchObject({ status: 202, body: { id: placed.body.id, is_finished: false } });
  // It was not given up: a worker may still take it.
  expect((await owner('GET', `/operations/${placed.body.id}`)).body).toMatchObject({ state: 'pending' });
});
