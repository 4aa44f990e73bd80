// PRODUCTS=chat: a node and a worker of chat, without telephony.
import { killAll } from '../../support/processes/processes';
import { until } from '../../support/until';
import { distinct, openOneProduct, stop, tagsOf, type OneProduct } from '../one-product';

/** An anchor after every message. */
const LARGEST = '10000000000000000';

let alone: OneProduct;
beforeAll(async () => {
  alone = await openOneProduct('chat');
});
afterAll(async () => {
  await killAll();
  await alone.close();
});

test('A chat-only installation has the migrations and demo data of chat and of the kernel', async () => {
  const { mysql } = await alone.cluster.kernel();
  const [rows] = (await mysql.raw('SHOW TABLES')) as [Record<string, string>[]];
  expect(distinct(rows.map((row) => Object.values(row)[0]!.split('_')[0]!))).toEqual(['chat', 'kernel', 'ops']);
  expect(alone.set.migrated.length).toBeGreaterThanOrEqual(3);
  expect(alone.set.seeded).toEqual({ chat: true, ops: true });
});

test('The node and the worker are ready, and the worker runs the jobs of chat and housekeeping', async () => {
  expect(await alone.node.call('/readyz')).toMatchObject({ status: 200, body: { status: 'ready', migrations: 'ok' } });
  // On a busy machine a check may sometimes be late.
  await until(
    () => alone.worker.probes.call('/readyz'),
    ({ status }) => status === 200,
  );
  expect([...alone.worker.names].sort()).toEqual([
    'chat-digests',
    'chat-exports',
    'chat-full-members',
    'chat-mail',
    'chat-missed-messages',
    'chat-outgoing',
    'chat-previews',
    'chat-push',
    'chat-read-marks',
    'chat-retention',
    'chat-scheduled',
    'chat-search',
    'chat-status-ends',
    'chat-thumbnails',
    'chat-webhooks',
    'chat-welcomes',
    'housekeeping',
  ]);
});

test('A chat-only worker turns a webhook into a message, which a search finds', async () => {
  const { node } = alone;
  const { body } = await node.call('/api/v1/dev_fetch_api_key', { form: { username: 'webhook-bot@example.com' } });
  const query = { api_key: body.api_key as string, stream: 'test', topic: 'alone' };
  expect((await node.call('/api/v1/external/json', { query, json: { status: 'solitary' } })).status).toBe(200);
  const headers = await node.basic('member@example.com');
  const narrow = JSON.stringify([{ operator: 'search', operand: 'solitary' }]);
  const found = () =>
    node.call('/api/v1/messages', { headers, query: { anchor: LARGEST, num_before: '5', num_after: '0', narrow } });
  const { body: answer } = await until(found, ({ body: { messages } }) => messages.length > 0);
  expect(answer.messages).toMatchObject([{ subject: 'alone', sender_email: 'webhook-bot@example.com' }]);
});

test('A chat-only node answers telephony paths with a 404 problem body, and does not document them', async () => {
  const { node } = alone;
  for (const path of ['/system/company', '/texting/conversations', '/webhooks/texting/simulated/x', '/ws/']) {
    expect(await node.call(path, { isUnserved: true })).toMatchObject({
      status: 404,
      body: { type: 'about:blank', status: 404 },
    });
  }
  const { body } = await node.call('/openapi.json');
  expect(tagsOf(body)).toEqual(['chat', 'ops']);
  expect(body.info.description).toBe('Team chat that speaks the Zulip 2.1 API.');
  expect((await node.call('/docs')).status).toBe(200);
  expect((await node.call('/')).text).toContain('<title>Partyline</title>');
});

test('The commands doctor and status cover chat only, and commands of telephony say that telephony is left out', async () => {
  const { cli } = alone;
  expect((await cli(['doctor', '--json'])).json).toMatchObject({
    ok: true,
    checks: expect.arrayContaining([expect.objectContaining({ check: 'secret-key', says: 'stored keys can be read' })]),
  });
  const { json } = await cli(['status', '--json']);
  expect(json.mysql).toMatchObject({ pending_migrations: [], chat: { realms: 1 } });
  expect(json.mysql).not.toHaveProperty('telephony');
  expect(await cli(['company', 'list'])).toMatchObject({
    code: 1,
    err: 'partyline: PRODUCTS leaves telephony out: it is "chat"\n',
  });
  expect((await cli(['operator', 'add', 'ada', '--json'])).json).toMatchObject({ name: 'ada' });
});

test('The node and the worker stop cleanly', async () => {
  expect(await stop(alone)).toEqual([0, 0]);
});
