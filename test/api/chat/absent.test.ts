import { callerOf, refusal } from '../../support/chat/people';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
});
afterAll(() => cluster.close());

const NO_REPORTS = 'This server collects no reports of clients';

test.each([
  ['GET', '/calls/create', 'This server has no account at Zoom to begin video calls with'],
  ['POST', '/report/error', NO_REPORTS],
  ['POST', '/report/send_times', NO_REPORTS],
  ['POST', '/report/narrow_times', NO_REPORTS],
  ['POST', '/report/unnarrow_times', NO_REPORTS],
])('The route %s %s answers with the reason why this server does not offer it', async (method, path, why) => {
  const member = await callerOf(node, 'member@example.com');
  expect(await member.ask(path, { method })).toMatchObject(refusal(why));
});
