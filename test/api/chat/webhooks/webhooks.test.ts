import type { Cluster, TestNode } from '../../../support/kernel/cluster';
import { until } from '../../../support/until';
import { openWebhookEntry } from '../../../support/chat/webhook-entry';

let cluster: Cluster;
let node: TestNode;
let key: string;

beforeAll(async () => {
  ({ cluster, node, key } = await openWebhookEntry());
});
afterAll(() => cluster.close());

const article = { featured_title: 'Marilyn Monroe', featured_url: 'https://en.wikipedia.org/wiki/Marilyn_Monroe' };
const deliver = (query: Record<string, string>, body: unknown = article, integration = 'helloworld') =>
  node.call(`/api/v1/external/${integration}`, {
    method: 'POST',
    query: { api_key: key, ...query },
    raw: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'text/weird' },
  });
const messages = (where: object) => node.kernel.mysql('chat_messages').where(where).orderBy('id');
const taken = () => node.kernel.mysql('chat_deliveries').orderBy('id', 'desc').first();

describe('Incoming webhooks', () => {
  test('A delivery becomes a stream message, whatever its content type', async () => {
    expect(await deliver({ stream: 'test' })).toMatchObject({ status: 200, body: { result: 'success', msg: '' } });
    const [message] = await until(
      () => messages({ client: 'ZulipHelloWorldWebhook' }),
      (rows) => rows.length === 1,
    );
    expect(message).toMatchObject({
      topic: 'Hello World',
      content:
        'Hello! I am happy to be here! :smile:\nThe Wikipedia featured article for today is ' +
        '**[Marilyn Monroe](https://en.wikipedia.org/wiki/Marilyn_Monroe)**',
    });
  });

  test("A delivery may set its topic, and without a stream it goes to the bot's owner", async () => {
    await deliver({ stream: 'test', topic: 'elsewhere' });
    await until(
      () => messages({ topic: 'elsewhere' }),
      (rows) => rows.length === 1,
    );
    await deliver({}, { ...article, featured_title: 'For you' });
    const [message] = await until(
      () => messages({ topic: '' }),
      (rows) => rows.length === 1,
    );
    const members = await node.kernel
      .mysql('chat_subscriptions')
      .where({ recipient_id: message.recipient_id })
      .pluck('user_id');
    expect(members).toHaveLength(2);
  });

  test('Concurrent repeats of one delivery become one message', async () => {
    const body = { ...article, featured_title: 'Twice' };
    const { id: before } = await taken();
    await Promise.all([
      deliver({ stream: 'test' }, body),
      deliver({ stream: 'test' }, body),
      deliver({ stream: 'test' }, body),
    ]);
    await until(
      () => node.kernel.mysql('chat_deliveries').where('id', '>', before).pluck('state'),
      (states: string[]) => states.length > 0 && states.every((state) => state === 'done'),
    );
    const rows = await node.kernel.mysql('chat_messages').where('content', 'like', '%Twice%');
    expect(rows).toHaveLength(1);
  });

  test('A delivery may use Basic authentication', async () => {
    const answer = await node.call('/api/v1/external/json', {
      method: 'POST',
      query: { stream: 'test' },
      raw: '{"a":1}',
      headers: await node.basic('webhook-bot@example.com'),
    });
    expect(answer.status).toBe(200);
  });

  test('A delivery with a wrong key, payload or integration is refused at once', async () => {
    const error = (status: number, msg: unknown, code: string) => ({ status, body: { result: 'error', msg, code } });
    const other = (await node.call('/api/v1/dev_fetch_api_key', { form: { username: 'helper-bot@example.com' } })).body
      .api_key;
    expect(await deliver({ api_key: 'x'.repeat(32) })).toMatchObject(error(401, 'Invalid API key', 'INVALID_API_KEY'));
    expect(await deliver({ api_key: other })).toMatchObject(error(401, 'Invalid API key', 'INVALID_API_KEY'));
    expect(await node.call('/api/v1/external/helloworld', { method: 'POST', raw: '{}' })).toMatchObject(
      error(400, "Missing 'api_key' argument", 'REQUEST_VARIABLE_MISSING'),
    );
    for (const body of [[], 5, null, 'text', [article]]) {
      expect(await deliver({ stream: 'test' }, JSON.stringify(body))).toMatchObject(
        error(400, 'The payload must be an object', 'BAD_REQUEST'),
      );
    }
    expect(await deliver({ stream: 'test' }, '{"featured_title": ')).toMatchObject(
      error(400, 'Malformed JSON', 'INVALID_JSON'),
    );
    expect(await deliver({ stream: 'test' }, { featured_title: 'x' })).toMatchObject(
      error(400, "Missing 'featured_url' in the payload", 'BAD_REQUEST'),
    );
    expect(await deliver({}, {}, 'nothing')).toMatchObject(
      error(404, expect.stringContaining('nothing'), 'UNKNOWN_INTEGRATION'),
    );
  });

  test('A delivery to a stream that the bot may not write to is refused until the bot is subscribed', async () => {
    const owner = await node.basic('owner@example.com');
    const make = (name: string, form: Record<string, string>) =>
      node.call('/api/v1/users/me/subscriptions', {
        form: { subscriptions: JSON.stringify([{ name }]), ...form },
        headers: owner,
      });
    await make('boardroom', { invite_only: 'true' });
    await make('tower', { is_announcement_only: 'true' });
    const before = (await taken()).id;
    expect(await deliver({ stream: 'boardroom' })).toMatchObject({
      status: 400,
      body: { result: 'error', msg: "Not authorized to send to stream 'boardroom'" },
    });
    expect(await deliver({ stream: 'tower' })).toMatchObject({
      status: 400,
      body: { result: 'error', msg: 'Only organization administrators can send to this stream.' },
    });
    expect((await taken()).id).toBe(before);
    await make('boardroom', { principals: '["webhook-bot@example.com"]' });
    expect((await deliver({ stream: 'boardroom' }, { ...article, featured_title: 'Let in' })).status).toBe(200);
    await until(taken, ({ id, state }) => id > before && state === 'done');
  });

  test('A delivery beyond WEBHOOK_BACKLOG pending ones is refused', async () => {
    const small = await cluster.node({ WEBHOOK_BACKLOG: '1' });
    const bot = await node.kernel
      .mysql('chat_users')
      .where({ email: 'webhook-bot@example.com' })
      .first('id', 'realm_id');
    const waiting = {
      realm_id: bot.realm_id,
      bot_id: bot.id,
      integration: 'json',
      dedupe_key: 'w',
      payload: '{}',
      notices: '[]',
      state: 'pending',
    };
    await node.kernel.mysql('chat_deliveries').insert({ ...waiting, created_at: new Date() });
    const answer = await small.call('/api/v1/external/json', { method: 'POST', query: { api_key: key }, raw: '{}' });
    expect(answer).toMatchObject({ status: 429, body: { code: 'BACKLOG_FULL' } });
  });

  test('Each delivery of a burst becomes one message, with none lost or repeated', async () => {
    const burst = Array.from({ length: 120 }, (_, index) =>
      deliver({ stream: 'test', topic: 'burst' }, { index }, 'json'),
    );
    expect(new Set((await Promise.all(burst)).map(({ status }) => status))).toEqual(new Set([200]));
    const rows = await until(
      () => messages({ topic: 'burst' }),
      (all) => all.length >= 120,
    );
    expect(new Set(rows.map((row: { content: string }) => row.content)).size).toBe(120);
  });

  test('A replaced key is refused for deliveries within seconds', async () => {
    await deliver({ stream: 'test' }, { ...article, featured_title: 'Before' });
    const bot = await node.kernel.mysql('chat_users').where({ email: 'webhook-bot@example.com' }).first('id');
    const owner = await node.basic('member@example.com');
    const path = `/api/v1/bots/${bot.id}/api_key/regenerate`;
    expect((await node.call(path, { method: 'POST', headers: owner })).status).toBe(200);
    const refusal = await until(
      () => deliver({ stream: 'test' }),
      ({ status }) => status === 401,
    );
    expect(refusal.body).toMatchObject({ code: 'INVALID_API_KEY' });
  });
});
