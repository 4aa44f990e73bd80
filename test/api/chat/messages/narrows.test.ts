import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { talker, type Talker } from '../../../support/chat/room';

let cluster: Cluster;
let node: TestNode;
let member: Talker;
let other: Talker;
let owner: Talker;
let guest: Talker;
const ids: Record<string, number> = {};
let open: number;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  const of = (name: string) => talker(node, `${name}@example.com`);
  [member, other, owner, guest] = [await of('member'), await of('other'), await of('owner'), await of('guest')];
  const { mysql } = node.kernel;
  const { id: general, realm_id: realmId } = await mysql('chat_streams').where({ name: 'general' }).first();
  // Public, with the owner as its only subscriber.
  open = (await mysql('chat_recipients').insert({ realm_id: realmId }))[0]!;
  await mysql('chat_streams').insert({
    id: open,
    realm_id: realmId,
    name: 'Open House',
    rendered_description: '',
    created_at: new Date(),
  });
  await mysql('chat_subscriptions').insert({
    recipient_id: open,
    user_id: owner.userId,
    from_id: 1,
    created_at: new Date(),
  });
  await mysql('chat_muted_topics').insert({ user_id: member.userId, stream_id: general, topic: 'NOISE' });
  ids['lunch'] = await other.toStream('test', 'Lunch', 'see https://example.com');
  ids['dinner'] = await owner.toStream('test', 'dinner', 'nothing');
  ids['noise'] = await other.toStream('general', 'noise');
  ids['secret'] = await owner.toStream('leadership', 'Lunch');
  ids['house'] = await owner.toStream('open house', 'Lunch');
  ids['pair'] = await other.toPeople(['member@example.com']);
  ids['back'] = await member.toPeople(['other@example.com']);
  ids['self'] = await member.toPeople(['member@example.com']);
  ids['group'] = await owner.toPeople(['member@example.com', 'other@example.com']);
  ids['aside'] = await owner.toPeople(['other@example.com']);
  // What rendering detects is tested with rendering.
  await mysql('chat_messages').where({ id: ids['lunch'] }).update({ traits: 1 });
  await mysql('chat_messages')
    .where({ id: ids['dinner'] })
    .update({ traits: 2 | 4 | 16 });
  await mysql('chat_flags').insert({ user_id: member.userId, flag: 3, message_id: ids['noise'] });
  await mysql('chat_flags').insert({ user_id: member.userId, flag: 5, message_id: ids['lunch'] });
});
afterAll(() => cluster.close());

const named = (found: readonly number[]) => found.map((id) => Object.keys(ids).find((name) => ids[name] === id));
const term = (operator: string, operand: unknown, negated = false) => ({ operator, operand, negated });
const look = async (narrow: readonly unknown[], by: Talker = member) => named(await by.ids(narrow));

describe('Narrows without a stream', () => {
  const all = ['lunch', 'dinner', 'noise', 'pair', 'back', 'self', 'group'];
  const table: [unknown[], string[]][] = [
    [[], all],
    [[['sender', 'other@example.com']], ['lunch', 'noise', 'pair']],
    [[['sender', 'OTHER@example.com']], ['lunch', 'noise', 'pair']],
    [[term('sender', 'owner@example.com', true)], ['lunch', 'noise', 'pair', 'back', 'self']],
    [[['topic', 'lunch']], ['lunch']],
    [[term('topic', 'lunch', true)], all.filter((name) => name !== 'lunch')],
    [[term('topic', 'nothing like it')], []],
    [[['is', 'private']], ['pair', 'back', 'self', 'group']],
    [[term('is', 'private', true)], ['lunch', 'dinner', 'noise']],
    [[['is', 'mentioned']], ['dinner', 'noise']],
    [[['is', 'alerted']], ['lunch']],
    [[['is', 'unread']], all],
    [[['in', 'home']], all.filter((name) => name !== 'noise')],
    [[term('in', 'home', true)], all.filter((name) => name !== 'noise')],
    [[['in', 'all']], all],
    [[['near', '1']], all],
    [[['has', 'link']], ['lunch']],
    [[['has', 'image']], ['dinner']],
    [[['has', 'attachment']], ['dinner']],
    [[term('has', 'link', true)], all.filter((name) => name !== 'lunch')],
    [[['pm-with', 'other@example.com']], ['pair', 'back']],
    [[['pm_with', 'other@example.com, member@example.com']], ['pair', 'back']],
    [[['pm-with', 'member@example.com']], ['self']],
    [[['pm-with', 'other@example.com,owner@example.com']], ['group']],
    [[term('pm-with', 'other@example.com', true)], all.filter((name) => name !== 'pair' && name !== 'back')],
    [[['group-pm-with', 'other@example.com']], ['group']],
    [[['group_pm_with', 'guest@example.com']], []],
    [[term('stream', 'test', true)], ['noise', 'pair', 'back', 'self', 'group']],
    [
      [
        ['sender', 'owner@example.com'],
        ['is', 'private'],
      ],
      ['group'],
    ],
    [
      [
        ['sender', 'owner@example.com'],
        ['has', 'image'],
        ['topic', 'dinner'],
      ],
      ['dinner'],
    ],
  ];
  test.each(table)('The narrow %j returns the matching messages that the user received', async (narrow, expected) => {
    expect(await look(narrow)).toEqual(expected);
  });

  test('Narrow operands may be ids instead of names', async () => {
    expect(await look([term('sender', other.userId)])).toEqual(['lunch', 'noise', 'pair']);
    expect(await look([term('pm-with', [other.userId])])).toEqual(['pair', 'back']);
    expect(await look([term('pm-with', [other.userId, member.userId])])).toEqual(['pair', 'back']);
    expect(await look([term('group-pm-with', other.userId)])).toEqual(['group']);
    expect(await look([term('stream', open)])).toEqual(['house']);
    expect(await look([['id', String(ids['pair'])]])).toEqual(['pair']);
    expect(await look([term('id', ids['pair'])])).toEqual(['pair']);
  });
});

describe('Visibility', () => {
  test('A narrow to a public stream returns all of it, with unreceived messages marked historical', async () => {
    expect(await look([['stream', ' OPEN house ']])).toEqual(['house']);
    const { body } = await member.read([['stream', 'Open House']]);
    expect(body.messages[0]).toMatchObject({ flags: ['read', 'historical'], display_recipient: 'Open House' });
    expect(await look([['streams', 'public']])).toEqual(['lunch', 'dinner', 'noise', 'house']);
    expect(
      await look([
        ['streams', 'public'],
        ['topic', 'lunch'],
      ]),
    ).toEqual(['lunch', 'house']);
    expect(await look([term('streams', 'public', true)])).toEqual(['pair', 'back', 'self', 'group']);
    // `is` applies to received messages.
    expect(
      await look([
        ['stream', 'Open House'],
        ['is', 'unread'],
      ]),
    ).toEqual([]);
    expect(await look([['id', String(ids['house'])]])).toEqual([]);
  });

  test('A reader who never subscribed can narrow a public stream to one topic or exclude one', async () => {
    const within = (...terms: unknown[]) => look([['stream', 'Open House'], ...terms]);
    expect(await within(['topic', 'LUNCH'])).toEqual(['house']);
    expect(await within(['topic', 'dinner'])).toEqual([]);
    expect(await within(term('topic', 'Lunch', true))).toEqual([]);
    expect(await within(term('topic', 'dinner', true))).toEqual(['house']);
  });

  test('A starred message that was never received appears among starred messages', async () => {
    const form = { messages: `[${ids['house']}]`, op: 'add', flag: 'starred' };
    expect((await member.post('/messages/flags', form)).status).toBe(200);
    expect(await look([['is', 'starred']])).toEqual(['house']);
    const { body } = await member.read([['is', 'starred']]);
    expect(body.messages[0].flags).toEqual(['read', 'starred', 'historical']);
  });

  test('No narrow returns private messages or private streams of others', async () => {
    const narrows = [
      [['id', String(ids['secret'])]],
      [['id', String(ids['aside'])]],
      [['topic', 'lunch']],
      [['sender', 'owner@example.com']],
    ];
    for (const narrow of narrows) {
      const found = await look(narrow);
      expect(found).not.toContain('secret');
      expect(found).not.toContain('aside');
    }
    expect(await look([['topic', 'lunch']], owner)).toEqual(['lunch', 'secret', 'house']);
    expect(await look([['stream', 'leadership']], owner)).toEqual(['secret']);
  });

  test('Guests see only messages that they received', async () => {
    expect(await look([['streams', 'public']], guest)).toEqual(['lunch', 'dinner', 'noise']);
    expect((await guest.read([['stream', 'Open House']])).body).toMatchObject({ code: 'BAD_NARROW' });
  });

  test('Messages received before unsubscribing stay visible, and later ones do not appear', async () => {
    const form = { subscriptions: '["general"]' };
    const leave = await node.call('/api/v1/users/me/subscriptions', {
      method: 'DELETE',
      headers: guest.headers,
      form,
    });
    expect(leave.status).toBe(200);
    ids['later'] = await other.toStream('general', 'later');
    expect(await look([['topic', 'noise']], guest)).toEqual(['noise']);
    expect(await look([['stream', 'general']], guest)).toEqual(['noise']);
    expect(await look([['topic', 'later']], guest)).toEqual([]);
  });
});

describe('Invalid narrows', () => {
  test.each([
    [[['colour', 'red']], 'unknown operator colour'],
    [[['stream', 'nowhere']], 'unknown stream nowhere'],
    [[['stream', 'leadership']], 'unknown stream leadership'],
    [[term('stream', 99_999)], 'unknown stream 99999'],
    [[['sender', 'x@y']], 'unknown user x@y'],
    [[['pm-with', 'other@example.com,x@y']], 'unknown user in other@example.com,x@y'],
    [[['group-pm-with', 'x@y']], 'unknown user x@y'],
    [[['is', 'red']], "unknown 'is' operand red"],
    [[['in', 'red']], "unknown 'in' operand red"],
    [[['has', 'red']], "unknown 'has' operand red"],
    [[['streams', 'private']], 'unknown streams operand private'],
    [[['id', 'x1']], 'Invalid message ID'],
  ])('The narrow %j is refused with BAD_NARROW', async (narrow, desc) => {
    expect(await member.read(narrow)).toMatchObject({
      status: 400,
      body: { result: 'error', msg: `Invalid narrow operator: ${desc}`, code: 'BAD_NARROW', desc },
    });
  });
});
