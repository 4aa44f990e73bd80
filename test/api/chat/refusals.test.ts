import { deactivateRealm, reactivateRealm } from '../../../src/chat/commands/organisation/realms';
import { deactivateUser } from '../../../src/chat/commands/users/deactivate-user';
import { getRealm } from '../../../src/chat/queries/organisation/find-realm';
import * as users from '../../../src/chat/store/users/users';
import { demoPeople, refusal, type DemoPeople } from '../../support/chat/people';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { until } from '../../support/until';
import { chatOf } from '../../support/kernel/parts';

let cluster: Cluster;
let node: TestNode;
let people: DemoPeople;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  people = await demoPeople(node);
});
afterAll(() => cluster.close());

const BAD = { code: 'BAD_REQUEST' };

describe('Deactivated and deleted objects', () => {
  test('A message to a deactivated user is refused', async () => {
    const { id: realmId } = await getRealm(chatOf(node.kernel));
    const account = { email: 'gone@example.com', password: 'plain words of nobody', full_name: 'Gone Person' };
    await people.owner.post('/users', account);
    const gone = (await users.byEmail(node.kernel.mysql, realmId, account.email))!;
    await deactivateUser(node.kernel, gone);
    for (const to of ['gone@example.com', `[${gone.id}]`]) {
      const sent = await people.member.post('/messages', { type: 'private', to, content: 'hello?' });
      expect(sent).toMatchObject(refusal("'gone@example.com' is no longer using Zulip.", BAD));
    }
    expect(await people.owner.del(`/users/${gone.id}`)).toMatchObject(refusal('User is deactivated', BAD));
  });

  test('Deleting a message that another request deletes at the same time says so', async () => {
    const form = { type: 'stream', to: 'test', topic: 'a', content: 'x' };
    const { id } = (await people.member.post('/messages', form)).body;
    const { mysql } = node.kernel;
    const other = await mysql.transaction();
    await other('chat_messages').where({ id }).forUpdate();
    const late = people.owner.del(`/messages/${id}`);
    // It has read the message, and waits for the row lock.
    await until(
      async () => ((await mysql.raw('SHOW PROCESSLIST')) as [{ Info: string | null }[]])[0],
      (running) =>
        running.filter(({ Info }) => Info?.includes('chat_messages') && Info.includes('for update')).length > 0,
    );
    await other('chat_messages').where({ id }).delete();
    await other.commit();
    expect(await late).toMatchObject(refusal('Message already deleted', BAD));
  });

  test('A deactivated organisation refuses every login', async () => {
    const { transaction } = node.kernel;
    const { id: realmId } = await getRealm(chatOf(node.kernel));
    await deactivateRealm(transaction, realmId);
    try {
      const basic = await people.member.get('/users/me');
      expect(basic).toMatchObject(refusal('This organization has been deactivated', {}, 401));
      const reason = { reason: 'realm deactivated' };
      const words = refusal('This organization has been deactivated.', reason, 403);
      const username = 'member@example.com';
      expect(await node.call('/api/v1/dev_fetch_api_key', { form: { username } })).toMatchObject(words);
      expect(await node.call('/api/v1/fetch_api_key', { form: { username, password: 'demo' } })).toMatchObject(words);
    } finally {
      await reactivateRealm(transaction, realmId);
    }
  });
});

test('Unknown streams, bot types and integrations are refused with the documented messages', async () => {
  const query = { anchor: '0', num_before: '0', num_after: '1', narrow: '[["stream","nowhere"]]' };
  const narrow = { code: 'BAD_NARROW', desc: 'unknown stream nowhere' };
  expect(await people.member.get('/messages', query)).toMatchObject(
    refusal('Invalid narrow operator: unknown stream nowhere', narrow),
  );
  const bot = { full_name: 'Embedded', short_name: 'embedded', bot_type: '4' };
  expect(await people.member.post('/bots', bot)).toMatchObject(
    refusal('This server has no embedded bots: create a generic (1), incoming (2) or outgoing webhook (3) bot', BAD),
  );
  const headers = await node.basic('webhook-bot@example.com');
  const key = Buffer.from(headers['Authorization']!.slice(6), 'base64').toString().split(':')[1]!;
  const delivery = { method: 'POST', query: { api_key: key }, json: {} };
  expect(await node.call('/api/v1/external/nothing', delivery)).toMatchObject(
    refusal("There is no integration named 'nothing'", { code: 'UNKNOWN_INTEGRATION' }, 404),
  );
});

test('A delivery beyond the limit of pending deliveries is refused', async () => {
  const strict = await cluster.node({ WEBHOOK_BACKLOG: '1' });
  const headers = await node.basic('webhook-bot@example.com');
  const key = Buffer.from(headers['Authorization']!.slice(6), 'base64').toString().split(':')[1]!;
  const deliver = (number: number) =>
    strict.call('/api/v1/external/json', { query: { api_key: key }, json: { number } });
  // The backlog is counted from time to time.
  const last = await until(
    () => deliver(Math.random()),
    ({ status }) => status === 429,
  );
  const words = 'More than 1 deliveries are waiting for this bot; try again later';
  expect(last).toMatchObject(refusal(words, { code: 'BACKLOG_FULL' }, 429));
});

test('Password login is refused where passwords are turned off', async () => {
  const strict = await cluster.node({ AUTH_METHODS: 'dev' });
  const form = { username: 'member@example.com', password: 'demo' };
  const answer = await strict.call('/api/v1/fetch_api_key', { form });
  const reason = { reason: 'password auth disabled' };
  expect(answer).toMatchObject(refusal('Password auth is disabled in your team.', reason, 403));
});
