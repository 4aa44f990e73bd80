import { rotateKey } from '../../../../src/chat/commands/accounts/rotate-key';
import { deactivateUser } from '../../../../src/chat/commands/users/deactivate-user';
import { getRealm } from '../../../../src/chat/queries/organisation/find-realm';
import * as users from '../../../../src/chat/store/users/users';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { chatIn, chatOf } from '../../../support/kernel/parts';
import { until } from '../../../support/until';

let cluster: Cluster;
let one: TestNode;
let two: TestNode;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  one = await cluster.node();
  two = await cluster.node();
});
afterAll(() => cluster.close());

type Headers = Record<string, string>;

const statusOn = async (node: TestNode, headers: Headers) => (await node.call('/api/v1/users/me', { headers })).status;
const userOf = async (email: string) => {
  const { id } = await getRealm(chatOf(one.kernel));
  return (await users.byEmail(one.kernel.mysql, id, email))!;
};

/** Until the node takes the caller of an ordinary request from its cache. */
async function warm(node: TestNode, headers: Headers): Promise<void> {
  const { realmId } = await userOf('owner@example.com');
  expect(await statusOn(node, headers)).toBe(200);
  await until(() => chatIn(node).polls.getOpen(realmId)?.isOpen === true);
  const statements: string[] = [];
  const note = ({ sql }: { sql: string }) => statements.push(sql);
  await until(async () => {
    statements.length = 0;
    node.kernel.mysql.on('query', note);
    expect(await statusOn(node, headers)).toBe(200);
    node.kernel.mysql.off('query', note);
    return !statements.some((sql) => sql.includes('key_hash'));
  });
}

test('A key that was replaced on one node is refused on another by an ordinary request', async () => {
  const headers = await one.basic('member@example.com');
  await warm(two, headers);
  await rotateKey(one.kernel, await userOf('member@example.com'));
  expect(await statusOn(one, headers)).toBe(401);
  await until(async () => (await statusOn(two, headers)) === 401);
});

test('A node that loses the pushes of the log still learns that an account was deactivated', async () => {
  const headers = await one.basic('other@example.com');
  await warm(two, headers);
  // The last push is lost; the next comparison with Redis finds it.
  await two.kernel.redis.subscriber.unsubscribe();
  await deactivateUser(one.kernel, await userOf('other@example.com'));
  await until(async () => (await statusOn(two, headers)) === 401);
});

test('A pointer that was moved on another node is shown to a cached caller', async () => {
  const headers = await one.basic('owner@example.com');
  await warm(two, headers);
  const form = { type: 'stream', to: 'test', topic: 'a', content: 'here' };
  const { id } = (await one.call('/api/v1/messages', { headers, form })).body as { id: number };
  const moved = await one.call('/api/v1/users/me/pointer', { headers, form: { pointer: String(id) } });
  expect(moved.status).toBe(200);
  expect((await two.call('/api/v1/users/me/pointer', { headers })).body).toMatchObject({ pointer: id });
  expect((await two.call('/api/v1/users/me', { headers })).body).toMatchObject({ pointer: id });
});

test('A node that knows a recipient refuses to tell them who is typing once they are deactivated', async () => {
  const headers = await one.basic('owner@example.com');
  const type = () => two.call('/api/v1/typing', { headers, form: { op: 'start', to: '["guest@example.com"]' } });
  expect((await type()).status).toBe(200);
  await deactivateUser(one.kernel, await userOf('guest@example.com'));
  await until(async () => (await type()).status === 400);
});
