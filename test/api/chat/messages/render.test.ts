import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
const people: Record<string, Record<string, string>> = {};
const ids: Record<string, number> = {};

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', PUBLIC_URL: 'https://chat.example.com' });
  await cluster.seed();
  node = await cluster.node();
  for (const name of ['owner', 'member', 'other', 'guest']) {
    people[name] = await node.basic(`${name}@example.com`);
    ids[name] = (await node.call('/api/v1/users/me', { headers: people[name] })).body.user_id;
  }
});
afterAll(() => cluster.close());

type Fields = Record<string, string>;
const render = async (content: string, who = 'member') =>
  node.call('/api/v1/messages/render', { form: { content }, headers: people[who]! });
const rendered = async (content: string, who = 'member') => (await render(content, who)).body.rendered as string;
const send = async (content: string, more: Fields = {}): Promise<number> => {
  const form = { type: 'stream', to: 'test', topic: 'rendering', content, ...more };
  return (await node.call('/api/v1/messages', { form, headers: people['member']! })).body.id;
};
const rowOf = async (id: number) =>
  (await node.kernel.mysql('chat_messages').where({ id }).first()) as Record<string, unknown>;
const flagsOf = async (id: number) =>
  (await node.kernel.mysql('chat_flags').where({ message_id: id }).orderBy(['flag', 'user_id'])) as unknown[];
const eventsAfter = async (who: string, act: () => Promise<unknown>) => {
  const form = { event_types: '["message"]', apply_markdown: 'true' };
  const { queue_id } = (await node.call('/api/v1/register', { form, headers: people[who]! })).body;
  await act();
  const query = { queue_id, last_event_id: '-1' };
  return (await node.call('/api/v1/events', { query, headers: people[who]! })).body.events as Record<string, unknown>[];
};
const streamId = async (name: string) =>
  ((await node.kernel.mysql('chat_streams').where({ name }).first('id')) as { id: number }).id;

const EMOTICONS = {
  ':)': 'slight_smile',
  '(:': 'slight_smile',
  ':(': 'frown',
  '<3': 'heart',
  ':|': 'expressionless',
  ':/': 'confused',
  '://': 'confused',
  ';)': 'wink',
};

describe('POST /messages/render', () => {
  test('POST /messages/render returns the HTML and stores nothing', async () => {
    const before = await node.kernel.mysql('chat_messages');
    expect(await render('**bold** and `code`')).toMatchObject({
      status: 200,
      body: { result: 'success', msg: '', rendered: '<p><strong>bold</strong> and <code>code</code></p>' },
    });
    expect(await node.kernel.mysql('chat_messages')).toEqual(before);
    expect((await render('ü'.repeat(5001))).body).toMatchObject({ msg: 'Message is too long (limit: 10000 bytes)' });
    const missing = await node.call('/api/v1/messages/render', { method: 'POST', headers: people['member']! });
    expect(missing.body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'content' });
  });

  test('Rendering resolves mentions of users, groups and streams by name', async () => {
    const [group] = await node.kernel.mysql('chat_user_groups').insert({ realm_id: 1, name: 'crew', description: '' });
    expect(await rendered('@**Ola Other** @_**Ola Other** @**nobody** @*crew*')).toBe(
      `<p><span class="user-mention" data-user-id="${ids['other']}">@Ola Other</span> ` +
        `<span class="user-mention silent" data-user-id="${ids['other']}">Ola Other</span> @<strong>nobody</strong> ` +
        `<span class="user-group-mention" data-user-group-id="${group}">@crew</span></p>`,
    );
    expect(await rendered(`@**Whoever|${ids['guest']}**`)).toContain('@Gus Guest');
    expect(await rendered('#**test**')).toContain(`data-stream-id="${await streamId('test')}"`);
  });

  test('Rendering links no stream that the author cannot see', async () => {
    expect(await rendered('#**leadership**', 'owner')).toContain(`data-stream-id="${await streamId('leadership')}"`);
    expect(await rendered('#**leadership**')).toBe(
      await rendered('#**nowhere**').then((html) => html.replace('nowhere', 'leadership')),
    );
  });

  test('Rendering applies linkifiers, custom emoji and, if the user wants them, emoticons', async () => {
    const emoji = { realm_id: 1, name: 'party', active_name: 'party', author_id: ids['owner'], extension: 'png' };
    const [id] = await node.kernel.mysql('chat_realm_emoji').insert({ ...emoji, bytes: Buffer.from('x') });
    // The node drops both cached values with the change that it is notified of.
    const form = { pattern: 'TICKET-(?P<n>[0-9]+)', url_format_string: 'https://tickets.example.com/%(n)s' };
    expect((await node.call('/api/v1/realm/filters', { form, headers: people['owner']! })).status).toBe(200);
    for (const [content, html] of [
      ['see TICKET-12', 'href="https://tickets.example.com/12"'],
      [':party:', `src="/user_avatars/1/emoji/images/${id}.png"`],
    ] as const) {
      expect(await rendered(content)).toContain(html);
    }
    expect(await rendered('hi :)')).toBe('<p>hi :)</p>');
    await node.kernel
      .mysql('chat_users')
      .where({ id: ids['member'] })
      .update({ settings: '{"translate_emoticons":true}' });
    expect(await rendered('hi :)')).toContain('slight_smile');
    for (const [emoticon, name] of Object.entries(EMOTICONS)) {
      expect(await rendered(`so ${emoticon} there`)).toContain(`:${name}:`);
      expect(await rendered(`see https://example.com/ ${emoticon}`)).toContain(`:${name}:`);
    }
    expect(await rendered('hi :)', 'other')).toBe('<p>hi :)</p>');
    const [event] = await eventsAfter('other', () => send('linked topic', { topic: 'about TICKET-7' }));
    expect(event).toMatchObject({ message: { subject_links: ['https://tickets.example.com/7'] } });
    expect(event).not.toHaveProperty('message.topic_links');
  });
});

test("A link is not mistaken for an emoticon, so the author's settings are not queried", async () => {
  const asked: string[] = [];
  const look = ({ sql }: { sql: string }) => void (sql.includes('SELECT settings') && asked.push(sql));
  node.kernel.mysql.on('query', look);
  await send('**[An article](https://example.com/article)** and HTTP://example.com');
  expect(asked).toEqual([]);
  await send('an article: https://example.com/article :/');
  expect(asked).toHaveLength(1);
  node.kernel.mysql.off('query', look);
});

describe('Rendering of sent messages', () => {
  test('Sending a message stores its HTML and the traits of its content', async () => {
    const id = await send('/me likes https://example.com/a.png');
    expect(await rowOf(id)).toMatchObject({ rendered: expect.stringContaining('<a href='), traits: 1 | 2 | 8 });
    const long = await send(`**long** ${'x'.repeat(4000)}`);
    expect((await rowOf(long))['rendered']).toContain('<strong>long</strong>');
  });

  test('A mention flags the mentioned recipients, in events and in MySQL', async () => {
    const [group] = await node.kernel.mysql('chat_user_groups').insert({ realm_id: 1, name: 'duo', description: '' });
    await node.kernel.mysql('chat_user_group_members').insert({ group_id: group, user_id: ids['guest'] });
    let id = 0;
    const events = await eventsAfter('other', async () => (id = await send('@**Ola Other** and @*duo*')));
    expect(events).toMatchObject([{ message: { id }, flags: ['mentioned'] }]);
    expect(await flagsOf(id)).toEqual([
      { user_id: ids['other'], flag: 3, message_id: id },
      { user_id: ids['guest'], flag: 3, message_id: id },
    ]);
    const secret = await send('@**Ola Other**', { type: 'private', to: 'owner@example.com' });
    expect(await flagsOf(secret)).toEqual([]);
  });

  test('A wildcard mention flags every recipient without a row for each', async () => {
    let id = 0;
    const events = await eventsAfter('guest', async () => (id = await send('@**all** look')));
    expect(events).toMatchObject([{ message: { id }, flags: ['wildcard_mentioned'] }]);
    expect(await flagsOf(id)).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ traits: 16 });
  });

  test.each([
    ['a quoted line', '> @**Ola Other** @**all** @*duo*'],
    [
      'a quoted reply',
      '@_**Ola Other|1** [said](#narrow/id/1):\n```quote\n@**Ola Other** @**everyone** @*duo*\n```\nYes.',
    ],
  ])('Mentions in %s flag nobody', async (_, content) => {
    let id = 0;
    const events = await eventsAfter('other', async () => (id = await send(content)));
    expect(events).toMatchObject([{ message: { id }, flags: [] }]);
    expect(await flagsOf(id)).toEqual([]);
    const row = await rowOf(id);
    expect((row['traits'] as number) & 16).toBe(0);
    expect(row['rendered']).toContain(
      `<span class="user-mention silent" data-user-id="${ids['other']}">Ola Other</span>`,
    );
  });

  test('Alert words flag the users who set them, as whole words and in any case', async () => {
    const form = { alert_words: '["lunch"]' };
    expect((await node.call('/api/v1/users/me/alert_words', { form, headers: people['other']! })).status).toBe(200);
    expect(await flagsOf(await send('Lunch?'))).toHaveLength(1);
    let id = 0;
    const events = await eventsAfter('other', async () => (id = await send('Time for "Lunch"!')));
    expect(events).toMatchObject([{ flags: ['has_alert_word'] }]);
    expect(await flagsOf(id)).toEqual([{ user_id: ids['other'], flag: 5, message_id: id }]);
    expect(await flagsOf(await send('lunchtime'))).toEqual([]);
  });

  test('Rendering plain text makes no MySQL query of its own', async () => {
    const askedFor = async () => {
      const asked: string[] = [];
      const listen = ({ sql }: { sql: string }) => void asked.push(sql);
      node.kernel.mysql.on('query', listen);
      await render('just a few plain words');
      node.kernel.mysql.removeListener('query', listen);
      return asked.filter((sql) => /chat_(?!users|realms)/.test(sql)).length;
    };
    // Cached values are read again after a second, unless the node follows the organisation's log.
    await until(askedFor, (count) => count === 0);
  });

  test('A link to this server is rendered as a relative link', async () => {
    const { PUBLIC_URL: publicUrl } = cluster.environment;
    expect(await rendered(`${publicUrl}/#narrow/stream/1-test`)).toContain('href="#narrow/stream/1-test"');
  });
});
