import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { integrations } from '../../../../src/chat/integrations';
import { noticesOf } from '../../../../src/chat/integrations/integration';
import { shortenContent } from '../../../../src/chat/integrations/text';
import { basicHeader } from '../../../support/http/client';
import type { Cluster, TestNode } from '../../../support/kernel/cluster';
import { until } from '../../../support/until';
import { openWebhookEntry } from '../../../support/chat/webhook-entry';

const root = join(__dirname, '../../../../src/chat/integrations');

interface Recorded {
  readonly payload: unknown;
  readonly event?: string;
}

const read = (name: string, file: string) =>
  JSON.parse(readFileSync(join(root, name, 'payloads', file), 'utf8')) as Recorded;

let cluster: Cluster;
let node: TestNode;
let key: string;

beforeAll(async () => {
  ({ cluster, node, key } = await openWebhookEntry());
});
afterAll(() => cluster.close());

const post = (name: string, raw: string, query: Record<string, string>, headers: Record<string, string> = {}) =>
  node.call(`/api/v1/external/${name}`, {
    method: 'POST',
    query: { api_key: key, stream: 'test', ...query },
    raw,
    headers: { 'Content-Type': 'text/weird', ...headers },
  });
const contentsOf = (topic: string): Promise<string[]> =>
  node.kernel.mysql('chat_messages').where({ topic }).orderBy('id').pluck('content');

const isThere = ({ length }: readonly unknown[]): boolean => length > 0;

describe.each([...integrations.values()])('Integration $name', (integration) => {
  const { name, eventHeader } = integration;
  test('Each recorded payload of the integration becomes its messages once, however often it comes', async () => {
    const recorded = readdirSync(join(root, name, 'payloads')).map((file) => ({ file, ...read(name, file) }));
    const topicOf = (file: string) => `${name} ${file}`.slice(0, 60);
    for (const { file, payload, event = '' } of [...recorded, ...recorded]) {
      const headers = eventHeader === undefined ? {} : { [eventHeader]: event };
      const choices = eventHeader === undefined ? Object.fromEntries(new URLSearchParams(event)) : {};
      const answer = await post(name, JSON.stringify(payload), { ...choices, topic: topicOf(file) }, headers);
      expect({ file, ...answer }).toMatchObject({ file, status: 200, body: { result: 'success' } });
    }
    // The last delivery becomes a message after all the others.
    const last = `last of ${name}`;
    await post('json', JSON.stringify(name), { topic: last });
    await until(
      () => contentsOf(last),
      (contents) => contents.length === 1,
    );
    for (const { file, payload, event = '' } of recorded) {
      const notices = noticesOf(integration.format({ payload, event, isTopicGiven: true }));
      expect(await contentsOf(topicOf(file))).toEqual(notices.map(({ content }) => shortenContent(content)));
    }
  });
});

describe('Peculiarities of services', () => {
  test.each(['github', 'gitlab', 'bitbucket2', 'bitbucket3'])(
    'A %s delivery without a known event header is refused',
    async (name) => {
      expect(await post(name, '{}', {})).toMatchObject({ status: 400, body: { code: 'MISSING_HTTP_EVENT_HEADER' } });
      const header = integrations.get(name)!.eventHeader!;
      expect(await post(name, '{}', {}, { [header]: 'nonsense' })).toMatchObject({
        status: 400,
        body: { code: 'UNEXPECTED_WEBHOOK_EVENT_TYPE', event_type: 'nonsense' },
      });
    },
  );

  test('A Bitbucket Server delivery may name its event in the payload alone', async () => {
    const { payload } = read('bitbucket3', 'push.json');
    expect((await post('bitbucket3', JSON.stringify(payload), { topic: 'no header' })).status).toBe(200);
    await until(
      () => contentsOf('no header'),
      (contents) => contents.length === 1,
    );
  });

  test("A delivery whose payload lacks a key is refused with the key's name", async () => {
    const answer = await post('stripe', '{"type": "charge.failed", "data": {"object": {"id": "ch_1"}}}', {});
    expect(answer).toMatchObject({ status: 400, body: { msg: "Missing 'data.object.amount' in the payload" } });
  });

  test('Travis delivers a form, and UptimeRobot may deliver everything in the query', async () => {
    const build = `payload=${encodeURIComponent(JSON.stringify(read('travis', 'passed.json').payload))}`;
    expect((await post('travis', build, { topic: 'form' })).status).toBe(200);
    const monitor = read('uptimerobot', 'down.json').payload as Record<string, string>;
    expect((await post('uptimerobot', '', { ...monitor, topic: 'address' })).status).toBe(200);
    await until(
      async () => [...(await contentsOf('form')), ...(await contentsOf('address'))],
      (contents) => contents.length === 2,
    );
    const rows = await node.kernel.mysql('chat_deliveries').select('payload', 'notices');
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  test("Bitbucket's POST service delivers a form, and authenticates with the bot's email and key", async () => {
    const { payload } = read('bitbucket', 'push.json');
    const deliver = (email: string, password: string) =>
      node.call('/api/v1/external/bitbucket', {
        method: 'POST',
        query: { stream: 'test', topic: 'post%20service', branches: 'master' },
        raw: `payload=${encodeURIComponent(JSON.stringify(payload))}`,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...basicHeader(email, password) },
      });
    expect(await deliver('Webhook-Bot@example.com', key)).toMatchObject({ status: 200, body: { result: 'success' } });
    expect(await until(() => contentsOf('post service'), isThere)).toEqual([
      expect.stringMatching(/^marcus pushed 1 commit to branch master\./),
    ]);
    for (const [email, password] of [
      ['webhook-bot@example.com', 'x'.repeat(32)],
      ['helper-bot@example.com', key],
    ] as const) {
      expect(await deliver(email, password)).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
    }
  });

  test('The Zapier authentication request returns the bot that owns the key', async () => {
    expect(await post('zapier', '', { type: 'auth' })).toMatchObject({
      status: 200,
      body: {
        result: 'success',
        email: 'webhook-bot@example.com',
        full_name: expect.any(String),
        id: expect.any(Number),
      },
    });
    expect((await post('zapier', '', { type: 'auth', api_key: 'x'.repeat(32) })).status).toBe(401);
  });

  test("Zapier's authentication request may come as JSON or as a form, and creates no message", async () => {
    for (const body of ['{"type": "auth"}', 'type=auth']) {
      expect(await post('zapier', body, { topic: 'whose' })).toMatchObject({
        status: 200,
        body: { result: 'success', email: 'webhook-bot@example.com' },
      });
    }
    expect(await node.kernel.mysql('chat_deliveries').where({ topic: 'whose' })).toEqual([]);
    expect((await post('ifttt', '{"type": "auth"}', {})).status).toBe(400);
  });

  test('A delivery of several messages that is processed again adds none', async () => {
    const { payload, event = '' } = read('bitbucket2', 'push-branch-and-tag.json');
    const topic = 'several messages';
    const pushed = await post('bitbucket2', JSON.stringify(payload), { topic }, { 'X-Event-Key': event });
    expect(pushed.status).toBe(200);
    const rows = () => node.kernel.mysql('chat_deliveries').where({ topic });
    const isDone = () =>
      until(
        async () => (await rows()) as { state: string; message_id: number | null }[],
        ([row]) => row?.state === 'done',
      );
    const [first] = await isDone();
    expect(first).toMatchObject({ message_id: expect.any(Number) });
    // As if the worker had died before it recorded that the work was done.
    await rows().update({ state: 'pending', message_id: null });
    await post('json', '"wake up"', { topic: 'after several' });
    expect(await isDone()).toMatchObject([{ message_id: first!.message_id }]);
    expect(await contentsOf(topic)).toHaveLength(2);
  });

  test('The parameter branches= leaves out changes to other branches of a push', async () => {
    const { payload, event = '' } = read('bitbucket2', 'push-branch-and-tag.json');
    const headers = { 'X-Event-Key': event };
    const query = { topic: 'wanted branches', branches: 'development' };
    expect((await post('bitbucket2', JSON.stringify(payload), query, headers)).status).toBe(200);
    const contents = await until(
      () => contentsOf('wanted branches'),
      (found) => found.length > 0,
    );
    expect(contents).toEqual([expect.stringContaining('pushed tag [v1.0]')]);
  });

  test('Two webhooks that want different branches post the same push each', async () => {
    const { payload, event = '' } = read('bitbucket2', 'push-branch-and-tag.json');
    const headers = { 'X-Event-Key': event, 'X-Request-UUID': 'one push' };
    for (const branches of ['development', 'master', 'master']) {
      const query = { topic: 'two webhooks', branches };
      expect((await post('bitbucket2', JSON.stringify(payload), query, headers)).status).toBe(200);
    }
    const rows: string[] = await node.kernel
      .mysql('chat_deliveries')
      .where({ topic: 'two webhooks' })
      .orderBy('id')
      .pluck('notices');
    expect(rows).toEqual([expect.stringContaining('pushed tag'), expect.stringContaining('master')]);
  });

  test("Jira's doubly encoded topics are decoded, and long topics are cut", async () => {
    const { payload } = read('jira', 'issue-deleted.json');
    const topic = `${encodeURIComponent('one two')}${'x'.repeat(100)}`;
    expect((await post('jira', JSON.stringify(payload), { topic })).status).toBe(200);
    await until(
      () => contentsOf(`one two${'x'.repeat(50)}...`),
      (contents) => contents.length === 1,
    );
  });

  test('A repeated delivery is one message even if a minute ends between the two', async () => {
    const minute = 60_000;
    const next = Math.ceil(Date.now() / minute) * minute;
    const clock = jest.spyOn(Date, 'now');
    try {
      for (const at of [next - 1, next + 1]) {
        clock.mockReturnValue(at);
        expect((await post('json', '{"said": "twice"}', { topic: 'over the minute' })).status).toBe(200);
      }
    } finally {
      clock.mockRestore();
    }
    const rows = await node.kernel.mysql('chat_deliveries').where({ topic: 'over the minute' });
    expect(rows).toHaveLength(1);
  });

  test('A payload that nests too deeply is refused', async () => {
    const nested = '['.repeat(10_000) + ']'.repeat(10_000);
    expect(await post('json', nested, {})).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });
});
