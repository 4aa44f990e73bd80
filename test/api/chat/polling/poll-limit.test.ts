import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

const LIMIT = 8;

let cluster: Cluster;
let node: TestNode;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', EVENTS_RATE_LIMIT: `3600:${LIMIT}` });
  await cluster.seed();
  node = await cluster.node();
});
afterAll(() => cluster.close());

async function pollAll(name: string, queue_id?: string): Promise<number[]> {
  const headers = await node.basic(`${name}@example.com`);
  const { body } = await node.call('/api/v1/register', { method: 'POST', headers });
  const query = { queue_id: queue_id ?? (body.queue_id as string), last_event_id: '-1', dont_block: 'true' };
  const statuses: number[] = [];
  for (let poll = 0; poll <= LIMIT; poll += 1)
    statuses.push((await node.call('/api/v1/events', { query, headers })).status);
  return statuses;
}

const expected = (status: number) => [...Array.from({ length: LIMIT }, () => status), 429];

test('A user can poll a queue exactly as often as EVENTS_RATE_LIMIT allows', async () => {
  expect(await pollAll('member')).toEqual(expected(200));
});

test('A poll that the fast path passes on to the application is counted once', async () => {
  // The fast path has the user in memory after the first poll. The queue does not exist, so the application answers.
  expect(await pollAll('other', '1700000000:abcdef')).toEqual(expected(400));
});
