import { createUser } from '../../../../src/chat/commands/users/create-user';
import { deactivateUser } from '../../../../src/chat/commands/users/deactivate-user';
import { getRealm } from '../../../../src/chat/queries/organisation/find-realm';
import * as users from '../../../../src/chat/store/users/users';
import { basicHeader } from '../../../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { chatIn, chatOf } from '../../../support/kernel/parts';
import { until } from '../../../support/until';

let cluster: Cluster;
let one: TestNode;
let two: TestNode;
const people: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', HEARTBEAT_MIN_MS: '60000', HEARTBEAT_MAX_MS: '60000' });
  await cluster.seed();
  one = await cluster.node();
  two = await cluster.node();
  for (const name of ['member', 'other']) people[name] = await one.basic(`${name}@example.com`);
});
afterAll(() => cluster.close());

type Fields = Record<string, string>;
const register = async (who: string, form: Fields = {}) =>
  (await one.call('/api/v1/register', { form, headers: people[who]!, method: 'POST' })).body;
const poll = (who: string, queue_id: string, at = one) =>
  at.call('/api/v1/events', { query: { queue_id, last_event_id: '-1' }, headers: people[who]! });
const send = (content: string, at = one) =>
  at.call('/api/v1/messages', {
    form: { type: 'stream', to: 'test', topic: 'events', content },
    headers: people['member']!,
  });

describe('Lost access', () => {
  test('Deactivating a user ends their waiting polls on every node and refuses later ones', async () => {
    const kernel = one.kernel;
    const realm = await getRealm(chatOf(kernel));
    const { key } = await createUser(kernel, {
      realmId: realm.id,
      email: 'leaver@example.com',
      fullName: 'Lee Leaver',
      role: 'member',
    });
    people['leaver'] = basicHeader('leaver@example.com', key);
    const { queue_id } = await register('leaver');
    const held = poll('leaver', queue_id, two);
    await until(() => chatIn(two).polls.waiting === 1);
    await deactivateUser(kernel, (await users.byEmail(kernel.mysql, realm.id, 'leaver@example.com'))!);
    await held;
    expect((await poll('leaver', queue_id, two)).status).toBe(401);
  });
});

describe('Keys of bots in events', () => {
  test("A new bot's key reaches its owner in the event and is never stored in the outbox", async () => {
    const { queue_id } = await register('member', { event_types: '["realm_bot"]' });
    const { body } = await one.call('/api/v1/bots', {
      form: { full_name: 'Fresh Bot', short_name: 'fresh' },
      headers: people['member']!,
    });
    const [event] = (await poll('member', queue_id)).body.events;
    expect(event).toMatchObject({
      type: 'realm_bot',
      op: 'add',
      bot: { full_name: 'Fresh Bot', api_key: body.api_key },
    });
    const rows = await one.kernel.mysql('kernel_outbox').where('body', 'like', `%${body.api_key}%`);
    expect(rows).toEqual([]);
  });
});

describe('Server-sent events', () => {
  async function openStream(queue_id: string, headers: Record<string, string>) {
    const url = new URL('/api/v1/events', one.url);
    url.searchParams.set('queue_id', queue_id);
    const stop = new AbortController();
    const response = await fetch(url, {
      headers: { Accept: 'text/event-stream', ...people['other']!, ...headers },
      signal: stop.signal,
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (pattern: RegExp) => {
      while (!pattern.test(text)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended: ${text}`);
        text += value;
      }
      return text;
    };
    return { response, until, close: () => stop.abort() };
  }

  test('A server-sent event stream delivers each event and resumes after Last-Event-ID', async () => {
    const { queue_id } = await register('other');
    const first = await openStream(queue_id, { 'Last-Event-ID': '-1' });
    expect(first.response.headers.get('content-type')).toContain('text/event-stream');
    await send('streamed one');
    await first.until(/streamed one/);
    await send('streamed two', two);
    const text = await first.until(/streamed two/);
    const [, id] = /id: (\d+)\ndata: .*streamed one/.exec(text)!;
    first.close();
    const again = await openStream(queue_id, { 'Last-Event-ID': id! });
    expect(await again.until(/streamed two/)).not.toContain('streamed one');
    again.close();
  });

  test('Opening a server-sent event stream of an unknown queue gives an ordinary error', async () => {
    const { response } = await openStream('1:nothing', { 'Last-Event-ID': '-1' });
    expect(response.status).toBe(400);
  });
});

test('A user has at most 200 event queues, and one more ends the longest idle', async () => {
  const form = { event_types: '["heartbeat"]' };
  const { queue_id } = await register('other', form);
  for (let batch = 0; batch < 10; batch += 1)
    await Promise.all(Array.from({ length: 20 }, () => register('other', form)));
  expect((await poll('other', queue_id)).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id });
});
