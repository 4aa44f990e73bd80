// Polls that are answered from memory: clients see no difference, and every change takes effect.
import { renameIn } from '../../../../src/chat/commands/users/update-user';
import { rotateKey } from '../../../../src/chat/commands/accounts/rotate-key';
import { getRealm } from '../../../../src/chat/queries/organisation/find-realm';
import * as users from '../../../../src/chat/store/users/users';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { until } from '../../../support/until';
import { chatIn, chatOf } from '../../../support/kernel/parts';

let cluster: Cluster;
let one: TestNode;
let two: TestNode;
let member: Record<string, string>;
let other: Record<string, string>;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', EVENTS_RATE_LIMIT: 'off', SWEEP_INTERVAL_MS: '600000' });
  await cluster.seed();
  [one, two] = [await cluster.node(), await cluster.node()];
  member = await one.basic('member@example.com');
  other = await one.basic('other@example.com');
});
afterAll(() => cluster.close());

type Headers = Record<string, string>;
const register = async (headers: Headers): Promise<string> =>
  (await one.call('/api/v1/register', { method: 'POST', form: { event_types: '["message"]' }, headers })).body.queue_id;
const poll = (queue_id: string, last: number, headers: Headers, more: Headers = {}) =>
  one.call('/api/v1/events', { query: { queue_id, last_event_id: String(last), ...more }, headers });
const say = (content: string, headers = other, at = one) =>
  at.call('/api/v1/messages', { form: { type: 'stream', to: 'test', topic: 'polls', content }, headers });
const user = async (name: string) =>
  (await users.byEmail(one.kernel.mysql, (await getRealm(chatOf(one.kernel))).id, `${name}@example.com`))!;

/** The statements that this node sends meanwhile. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  await one.kernel.outbox.settle();
  let count = 0;
  const add = () => (count += 1);
  one.kernel.mysql.on('query', add);
  await work();
  one.kernel.mysql.off('query', add);
  return count;
}

test('A client that polls again causes no MySQL query', async () => {
  const queue = await register(member);
  for (let warm = 0; warm < 3; warm += 1) await poll(queue, -1, member, { dont_block: 'true' });
  expect(await statementsOf(() => poll(queue, -1, member, { dont_block: 'true' }))).toBe(0);
});

test('A waiting poll gets BAD_EVENT_QUEUE_ID when its queue is deleted', async () => {
  const queue = await register(member);
  await poll(queue, -1, member, { dont_block: 'true' });
  await poll(queue, -1, member, { dont_block: 'true' });
  const held = poll(queue, -1, member);
  await until(() => chatIn(one).polls.waiting === 1);
  await one.call('/api/v1/events', { method: 'DELETE', form: { queue_id: queue }, headers: member });
  const { status, body } = await held;
  expect([status, body.code, body.queue_id]).toEqual([400, 'BAD_EVENT_QUEUE_ID', queue]);
});

test('A renamed user sends under the new name at once on that node and soon on the others', async () => {
  for (const at of [one, two]) for (let warm = 0; warm < 3; warm += 1) await say('before', other, at);
  const renamed = await user('other');
  await one.kernel.transaction((tx) => renameIn(tx, renamed, 'Renamed Other'));
  const nameOf = async (at: TestNode) => {
    const queue = await register(member);
    await say('after', other, at);
    return (await poll(queue, -1, member)).body.events[0].message.sender_full_name as string;
  };
  expect(await nameOf(one)).toBe('Renamed Other');
  await until(
    () => nameOf(two),
    (name) => name === 'Renamed Other',
  );
});

test('A key that was replaced is refused on every node', async () => {
  for (const at of [one, two]) for (let warm = 0; warm < 3; warm += 1) await say('before', other, at);
  await rotateKey(one.kernel, await user('other'));
  expect((await say('after', other, one)).status).toBe(401);
  await until(
    async () => (await say('after', other, two)).status,
    (status) => status === 401,
  );
});
