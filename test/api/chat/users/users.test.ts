import { deactivateUser } from '../../../../src/chat/commands/users/deactivate-user';
import { rotateKey } from '../../../../src/chat/commands/accounts/rotate-key';
import { getRealm } from '../../../../src/chat/queries/organisation/find-realm';
import * as users from '../../../../src/chat/store/users/users';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { basicHeader } from '../../../support/http/client';
import { chatOf } from '../../../support/kernel/parts';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let second: TestNode;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  node = await cluster.node();
  second = await cluster.node();
});
afterAll(() => cluster.close());

const me = (headers: Record<string, string>, at = node) => at.call('/api/v1/users/me', { headers });

describe('GET /users/me', () => {
  test('GET /users/me returns every specified field', async () => {
    const { status, body, headers } = await me(await node.basic('owner@example.com'));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: 'success',
      msg: '',
      user_id: expect.any(Number),
      email: 'owner@example.com',
      full_name: 'Olive Owner',
      short_name: 'owner',
      avatar_url: expect.stringContaining('https://'),
      client_id: expect.any(String),
      is_admin: true,
      is_bot: false,
      pointer: -1,
      max_message_id: -1,
      profile_data: {},
    });
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('content-type')).toMatch('application/json');
  });

  test('GET /users/me returns the profile of a bot on another node', async () => {
    const header = await node.basic('helper-bot@example.com');
    expect((await me(header, second)).body).toMatchObject({
      is_bot: true,
      is_admin: false,
      email: 'helper-bot@example.com',
    });
  });
});

describe('Authentication', () => {
  const refused = (msg: string) => ({ status: 401, body: { result: 'error', msg } });

  test('A request without credentials is refused with a Basic challenge', async () => {
    const answer = await me({});
    expect(answer).toMatchObject(refused('Not logged in: API authentication or user session required'));
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="zulip"');
    expect(answer.body).not.toHaveProperty('code');
  });

  test('A malformed authorization header or key is refused with the reason', async () => {
    expect(await me({ Authorization: 'Basic bm9jb2xvbg==' })).toMatchObject(
      refused('Invalid authorization header for basic auth'),
    );
    expect(await me({ Authorization: 'Basic' })).toMatchObject(refused('Invalid authorization header for basic auth'));
    expect(await me({ Authorization: 'Bearer x' })).toMatchObject({
      status: 400,
      body: { result: 'error', msg: 'This endpoint requires HTTP basic authentication.' },
    });
    expect(await me(basicHeader('member@example.com', 'short'))).toMatchObject(refused('Malformed API key'));
    expect(await me(basicHeader('member@example.com', 'x'.repeat(32)))).toMatchObject(refused('Invalid API key'));
  });

  test("One user's key with another user's email address is refused", async () => {
    const { body } = await node.call('/api/v1/dev_fetch_api_key', { form: { username: 'owner@example.com' } });
    expect(await me(basicHeader('member@example.com', body.api_key))).toMatchObject(refused('Invalid API key'));
    expect((await me(basicHeader('OWNER@example.com', body.api_key))).status).toBe(200);
  });

  test('Incoming webhook bots cannot use the general API', async () => {
    const header = await node.basic('webhook-bot@example.com');
    expect(await me(header)).toMatchObject(refused('This API is not available to incoming webhook bots.'));
  });

  test('A replaced key and a deactivated account are refused on every node', async () => {
    const realm = await getRealm(chatOf(node.kernel));
    const guest = (await users.byEmail(node.kernel.mysql, realm.id, 'guest@example.com'))!;
    const old = await node.basic('guest@example.com');
    const key = await rotateKey(node.kernel, guest);
    // Another node learns it from the log, within milliseconds.
    const later = (header: { Authorization: string }) =>
      until(
        () => me(header, second),
        ({ status }) => status !== 200,
      );
    expect(await later(old)).toMatchObject(refused('Invalid API key'));
    expect((await me(basicHeader(guest.email, key), second)).status).toBe(200);
    await deactivateUser(node.kernel, guest);
    expect(await later(basicHeader(guest.email, key))).toMatchObject(refused('Account is deactivated'));
    expect(await node.call('/api/v1/dev_fetch_api_key', { form: { username: guest.email } })).toMatchObject({
      status: 403,
      body: { msg: 'Your account has been disabled.', reason: 'user disable' },
    });
  });

  test('The database stores neither keys nor passwords in plain text', async () => {
    const { body } = await node.call('/api/v1/dev_fetch_api_key', { form: { username: 'owner@example.com' } });
    const rows = JSON.stringify(await node.kernel.mysql('chat_users').select());
    expect(rows).not.toContain(body.api_key);
    expect(rows).not.toContain('"demo"');
    expect(rows).toContain('scrypt$');
  });
});
