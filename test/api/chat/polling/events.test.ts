import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let one: TestNode;
let two: TestNode;
const people: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', HEARTBEAT_MIN_MS: '60000', HEARTBEAT_MAX_MS: '60000' });
  await cluster.seed();
  one = await cluster.node();
  two = await cluster.node();
  for (const name of ['owner', 'member', 'other', 'guest']) people[name] = await one.basic(`${name}@example.com`);
});
afterAll(() => cluster.close());

type Fields = Record<string, string>;
const register = async (who: string, form: Fields = {}, at = one) =>
  (await at.call('/api/v1/register', { form, headers: people[who]!, method: 'POST' })).body;
const poll = (who: string, query: Fields, at = one) => at.call('/api/v1/events', { query, headers: people[who]! });
const now = (who: string, queue_id: string, last = -1, at = one) =>
  poll(who, { queue_id, last_event_id: String(last), dont_block: 'true' }, at);
const send = async (who: string, form: Fields, at = one): Promise<number> =>
  (await at.call('/api/v1/messages', { form, headers: people[who]! })).body.id;
const toTest = (content: string, more: Fields = {}) => ({
  type: 'stream',
  to: 'test',
  topic: 'events',
  content,
  ...more,
});

/** Polls until this many events have come. */
async function gather(who: string, queue: string, count: number): Promise<Record<string, never>[]> {
  const events: Record<string, never>[] = [];
  let last = -1;
  while (events.length < count) {
    const { body } = await poll(who, { queue_id: queue, last_event_id: String(last) });
    events.push(...body.events);
    last = events.at(-1)!['id'] as unknown as number;
  }
  return events;
}

describe('POST /register', () => {
  test('Registration returns a queue id and the event id to begin after', async () => {
    expect(await register('member')).toMatchObject({
      result: 'success',
      msg: '',
      queue_id: expect.any(String),
      last_event_id: -1,
    });
  });

  test('Registration refuses a narrow with an unsupported operator', async () => {
    expect(await register('member', { narrow: '[["has","link"]]' })).toMatchObject({
      result: 'error',
      msg: 'Operator has not supported.',
      code: 'BAD_REQUEST',
    });
  });
});

describe('GET /events', () => {
  test('A message sent on one node ends a poll that waits on another node', async () => {
    const { queue_id } = await register('other', {}, two);
    const held = poll('other', { queue_id, last_event_id: '-1' }, two);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const id = await send('member', toTest('across'));
    const { body } = await held;
    expect(body).toMatchObject({ result: 'success', msg: '', queue_id });
    expect(body.events).toEqual([
      {
        id: expect.any(Number),
        type: 'message',
        flags: [],
        message: expect.objectContaining({
          id,
          type: 'stream',
          content: 'across',
          content_type: 'text/x-markdown',
          subject: 'events',
          display_recipient: 'test',
          sender_email: 'member@example.com',
          sender_full_name: 'Max Member',
          stream_id: expect.any(Number),
          recipient_id: expect.any(Number),
          client: 'node',
          is_me_message: false,
          reactions: [],
          submessages: [],
          subject_links: [],
          timestamp: expect.any(Number),
          avatar_url: expect.stringContaining('gravatar'),
        }),
      },
    ]);
  });

  test('A queue delivers events again until they are acknowledged, and never after that', async () => {
    const { queue_id } = await register('other');
    await send('member', toTest('first'));
    await send('member', toTest('second'));
    const events = await gather('other', queue_id, 2);
    const [a, b] = events.map((event) => event['id'] as unknown as number);
    expect(b).toBeGreaterThan(a!);
    expect((await now('other', queue_id, -1, two)).body.events).toHaveLength(2);
    expect((await now('other', queue_id, a)).body.events).toHaveLength(1);
    expect((await now('other', queue_id, b)).body.events).toEqual([]);
    expect((await now('other', queue_id, a)).body).toMatchObject({
      result: 'error',
      msg: `An event newer than ${a} has already been pruned!`,
      code: 'BAD_REQUEST',
    });
    expect((await now('other', queue_id, 100_000)).body).toMatchObject({
      result: 'error',
      msg: 'Event 100000 was not in this queue',
    });
  });

  test('A queue polled on two nodes in turn misses no event and repeats none', async () => {
    const { queue_id } = await register('guest');
    const ids: number[] = [];
    for (let count = 0; count < 30; count += 1)
      ids.push(await send('member', toTest(`m${count}`), count % 2 ? one : two));
    const seen: number[] = [];
    for (let last = -1, turn = 0; seen.length < 30; turn += 1) {
      const { body } = await poll('guest', { queue_id, last_event_id: String(last) }, turn % 2 ? one : two);
      for (const event of body.events) seen.push(event.message.id);
      last = body.events.at(-1).id;
    }
    expect(seen).toEqual(ids);
  });

  test('A second poll of a queue releases the first one, on the same node or another', async () => {
    const { queue_id } = await register('other');
    const query = { queue_id, last_event_id: '-1' };
    const first = poll('other', query);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const second = poll('other', query);
    expect((await first).body).toMatchObject({ result: 'success', events: [] });
    const third = poll('other', query, two);
    expect((await second).body).toMatchObject({ result: 'success', events: [] });
    await send('member', toTest('finally'));
    expect((await third).body.events).toHaveLength(1);
  });

  test('A poll without a queue id registers a queue and answers at once', async () => {
    const { body } = await poll('other', { event_types: '["message"]' });
    expect(body).toMatchObject({ result: 'success', queue_id: expect.any(String), last_event_id: -1, events: [] });
  });

  test("A poll without last_event_id, of another user's queue or of an unknown one is refused", async () => {
    const { queue_id } = await register('other');
    expect((await poll('other', { queue_id })).body).toMatchObject({
      result: 'error',
      msg: "Missing 'last_event_id' argument",
    });
    expect((await now('member', queue_id)).body).toMatchObject({
      msg: 'You are not authorized to get events from this queue',
    });
    expect(await now('other', '1:nothing')).toMatchObject({
      status: 400,
      body: {
        result: 'error',
        code: 'BAD_EVENT_QUEUE_ID',
        msg: 'Bad event queue id: 1:nothing',
        queue_id: '1:nothing',
      },
    });
  });
});

describe('Options of a queue', () => {
  test("A queue's options choose Markdown or HTML, avatars, and the echo of local ids", async () => {
    const html = await register('other', { apply_markdown: 'true', client_gravatar: 'true' });
    const echo = await register('member', { event_types: '["message"]' });
    await send('member', toTest('plain words', { queue_id: echo.queue_id, local_id: '12.01' }));
    const [event] = await gather('other', html.queue_id, 1);
    expect(event).toMatchObject({
      message: { content: '<p>plain words</p>', content_type: 'text/html', avatar_url: null },
    });
    expect(event).not.toHaveProperty('local_message_id');
    expect((await gather('member', echo.queue_id, 1))[0]).toMatchObject({
      local_message_id: '12.01',
      message: { content: 'plain words' },
    });
  });

  test('A queue receives only the event types and narrow that it registered for', async () => {
    const none = await register('other', { event_types: '["presence"]' });
    const narrow = await register('other', { narrow: '[["stream","TEST"],["topic","Wanted"]]' });
    const mine = await register('other', { narrow: '[["is","private"]]' });
    await send('member', toTest('no'));
    await send('member', toTest('yes', { topic: 'wanted' }));
    await send('member', { type: 'private', to: 'other@example.com', content: 'psst' });
    expect((await gather('other', narrow.queue_id, 1)).map((event) => event['message']!['content'])).toEqual(['yes']);
    expect((await gather('other', mine.queue_id, 1)).map((event) => event['message']!['content'])).toEqual(['psst']);
    expect((await now('other', none.queue_id)).body.events).toEqual([]);
  });

  test('Events of private streams and private messages reach their participants only', async () => {
    const outsider = await register('other', { all_public_streams: 'true', narrow: '[]' });
    const owner = await register('owner');
    await send('owner', { type: 'stream', to: 'leadership', topic: 'plans', content: 'secret' });
    await send('owner', { type: 'private', to: 'member@example.com', content: 'between us' });
    await send('owner', toTest('for all'));
    expect((await gather('owner', owner.queue_id, 3)).map((event) => event['message']!['content'])).toEqual([
      'secret',
      'between us',
      'for all',
    ]);
    expect((await gather('other', outsider.queue_id, 1)).map((event) => event['message']!['content'])).toEqual([
      'for all',
    ]);
  });
});

describe('DELETE /events', () => {
  test('Deleting a queue ends it on every node together with the poll that waits on it', async () => {
    const { queue_id } = await register('other', {}, two);
    const held = poll('other', { queue_id, last_event_id: '-1' }, two);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const drop = (who: string) =>
      one.call('/api/v1/events', { method: 'DELETE', query: { queue_id }, headers: people[who]! });
    expect((await drop('member')).body).toMatchObject({
      result: 'error',
      msg: 'You are not authorized to access this queue',
    });
    expect((await drop('other')).body).toEqual({ result: 'success', msg: '' });
    expect((await held).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id });
    expect((await drop('other')).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  });
});

describe('Heartbeats', () => {
  test('A heartbeat ends a waiting poll with an event id that can be acknowledged', async () => {
    const quick = await cluster.node({ HEARTBEAT_MIN_MS: '300', HEARTBEAT_MAX_MS: '500' });
    const { queue_id } = await register('other', { event_types: '["presence"]' }, quick);
    let last = -1;
    for (let beat = 0; beat < 2; beat += 1) {
      const { body } = await poll('other', { queue_id, last_event_id: String(last) }, quick);
      expect(body.events).toEqual([{ type: 'heartbeat', id: expect.any(Number) }]);
      expect(body.events[0].id).toBeGreaterThan(last);
      last = body.events[0].id;
    }
  });
});
