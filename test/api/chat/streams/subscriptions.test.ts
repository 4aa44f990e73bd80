import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { newUser, userOf, type TestUser } from '../../../support/chat/chat';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let other: TestUser;
let guest: TestUser;
let bot: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOG_LEVEL: 'error' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member, other, guest, bot] = (await Promise.all(
    ['owner', 'member', 'other', 'guest', 'helper-bot'].map((name) => userOf(node, name)),
  )) as [TestUser, TestUser, TestUser, TestUser, TestUser];
});
afterAll(() => cluster.close());

const PATH = '/users/me/subscriptions';
const error = (msg: string, more: object = {}) => ({ status: 400, body: { result: 'error', msg, ...more } });
const add = (by: TestUser, names: string[], more: object = {}) =>
  by.post(PATH, { subscriptions: names.map((name) => ({ name })), ...more });
const heard = async (by: TestUser) =>
  (await by.get(PATH)).body.subscriptions.map(({ name }: { name: string }) => name) as string[];

describe('POST /users/me/subscriptions', () => {
  test('Subscribing creates unknown streams and joins existing ones, in any case', async () => {
    const answer = await add(member, ['  Verona ', 'TEST']);
    expect(answer).toMatchObject({ status: 200, body: { result: 'success', msg: '' } });
    expect(answer.body.subscribed).toEqual({ 'member@example.com': ['Verona'] });
    expect(answer.body.already_subscribed).toEqual({ 'member@example.com': ['test'] });
    expect(answer.body).not.toHaveProperty('unauthorized');
    const again = await add(other, ['verona', 'VERONA']);
    expect(again.body.subscribed).toEqual({ 'other@example.com': ['Verona'] });
    expect((await add(other, [])).body).toMatchObject({ subscribed: {}, already_subscribed: {} });
  });

  test('A new stream gets a one-line description and the requested settings', async () => {
    const subscriptions = [{ name: 'described', description: 'two\n*lines*', color: '#abcdef' }];
    await owner.post(PATH, { subscriptions, is_announcement_only: true });
    const { body } = await owner.get(PATH);
    expect(body.subscriptions.find(({ name }: { name: string }) => name === 'described')).toEqual({
      name: 'described',
      stream_id: expect.any(Number),
      description: 'two *lines*',
      rendered_description: '<p>two <em>lines</em></p>',
      invite_only: false,
      is_web_public: false,
      is_announcement_only: true,
      history_public_to_subscribers: true,
      first_message_id: expect.any(Number),
      is_archived: false,
      folder_id: null,
      is_recently_active: true,
      color: '#abcdef',
      is_muted: false,
      in_home_view: true,
      pin_to_top: false,
      desktop_notifications: false,
      audible_notifications: false,
      push_notifications: false,
      email_notifications: false,
      wildcard_mentions_notify: true,
      email_address: '',
      is_old_stream: false,
      stream_weekly_traffic: null,
    });
  });

  test("Later subscribers see a private stream's history only if its creator asked for it", async () => {
    const historyOf = async (name: string, more: object) => {
      await add(member, [name], more);
      const { body } = await member.get('/streams');
      return body.streams.find((stream: { name: string }) => stream.name === name).history_public_to_subscribers;
    };
    expect(await historyOf('h1', { invite_only: true })).toBe(false);
    expect(await historyOf('h2', { invite_only: true, history_public_to_subscribers: true })).toBe(true);
    expect(await historyOf('h3', { history_public_to_subscribers: false })).toBe(true);
  });

  test('A user subscribes others by address or id without being subscribed as well', async () => {
    const answer = await add(member, ['for others'], { principals: ['OTHER@example.com', bot.id] });
    expect(answer.body.subscribed).toEqual({
      'other@example.com': ['for others'],
      'helper-bot@example.com': ['for others'],
    });
    expect(await heard(member)).not.toContain('for others');
    expect(await heard(bot)).toContain('for others');
  });

  test('Unknown and deactivated principals get the same error, and nothing is created', async () => {
    await newUser(node, 'gone');
    await node.kernel.mysql('chat_users').where({ email: 'gone@example.com' }).update({ is_active: false });
    for (const principal of ['nobody@example.com', 'gone@example.com', 999_999]) {
      expect(await add(member, ['never made'], { principals: [other.email, principal] })).toMatchObject({
        status: 403,
        body: {
          result: 'error',
          msg: `User not authorized to execute queries on behalf of '${principal}'`,
          code: 'UNAUTHORIZED_PRINCIPAL',
          principal,
        },
      });
    }
    expect((await owner.get('/get_stream_id', { stream: 'never made' })).status).toBe(400);
  });

  test('Subscribing to a hidden private stream fails, or lists it if errors are not fatal', async () => {
    const refused = error('Unable to access stream (leadership).');
    for (const by of [member, bot]) {
      const answer = await add(by, ['Leadership', 'not made']);
      expect(answer).toMatchObject(refused);
      expect(answer.body).not.toHaveProperty('code');
    }
    expect(await heard(member)).not.toContain('not made');
    const tolerant = await add(member, ['leadership', 'made'], { authorization_errors_fatal: false });
    expect(tolerant.body).toMatchObject({
      result: 'success',
      subscribed: { 'member@example.com': ['made'] },
      unauthorized: ['leadership'],
    });
    expect((await add(member, ['made'], { authorization_errors_fatal: false })).body.unauthorized).toEqual([]);
    await add(owner, ['leadership'], { principals: [other.email] });
    expect(await heard(other)).toContain('leadership');
    expect((await add(other, ['leadership'])).body.already_subscribed).toEqual({ [other.email]: ['leadership'] });
  });

  test('A user who creates a private stream for others is not subscribed to it', async () => {
    await add(member, ['a gift'], { invite_only: true, principals: [other.email] });
    expect(await heard(member)).not.toContain('a gift');
    expect(await add(member, ['a gift'])).toMatchObject(error('Unable to access stream (a gift).'));
  });

  test("Subscriptions with wrong names or types are refused with Zulip's error messages", async () => {
    const bad = 'BAD_REQUEST';
    for (const [subscriptions, msg] of [
      [[{ name: '   ' }], "Invalid stream name ''"],
      [[{ name: 'x'.repeat(61) }], 'Stream name too long (limit: 60 characters).'],
      [[{ name: 'a\0b' }], "Stream name 'ab' contains NULL (0x00) characters."],
      [{ name: 'x' }, 'subscriptions is not a list'],
      [['x'], 'subscriptions[0] is not a dict'],
      [[{ description: 'x' }], 'name key is missing from subscriptions[0]'],
      [[{ name: 5 }], 'subscriptions[0]["name"] is not a string'],
      [[{ name: 'x', mood: 1 }], 'Unexpected arguments: mood'],
      [[{ name: 'x', color: 'red' }], 'subscriptions[0]["color"] is not a valid hex color code'],
      [
        [{ name: 'x', description: 'y'.repeat(1025) }],
        'subscriptions[0]["description"] is too long (limit: 1024 characters)',
      ],
    ] as const) {
      expect(await member.post(PATH, { subscriptions })).toMatchObject(error(msg, { code: bad }));
    }
    expect(await member.post(PATH)).toMatchObject(
      error("Missing 'subscriptions' argument", { code: 'REQUEST_VARIABLE_MISSING' }),
    );
    expect(await member.post(PATH, { subscriptions: 'x' })).toMatchObject(
      error('Argument "subscriptions" is not valid JSON.', { code: bad }),
    );
    expect(await add(member, ['x'], { invite_only: 'True' })).toMatchObject(
      error('Argument "invite_only" is not valid JSON.'),
    );
    expect(await add(member, ['x'], { principals: [{}] })).toMatchObject(error('principals[0] is not a string'));
    const longest = '🎉'.repeat(60);
    expect((await add(member, [longest])).body.subscribed).toEqual({ [member.email]: [longest] });
  });

  test('Stream names that differ in more than case are different streams', async () => {
    const { body } = await add(member, ['cafe', 'café', 'ハハ', 'パパ', 'ΟΔΟΣ']);
    expect(body.subscribed[member.email]).toEqual(['cafe', 'café', 'ハハ', 'パパ', 'ΟΔΟΣ']);
    const again = await add(member, ['CAFÉ', 'οδοσ']);
    expect(again.body.already_subscribed[member.email]).toEqual(['café', 'ΟΔΟΣ']);
  });

  test('Guests cannot subscribe themselves, but others can subscribe them', async () => {
    expect(await add(guest, ['test'])).toMatchObject(error('Not allowed for guest users', { code: 'BAD_REQUEST' }));
    const { body } = await add(member, ['Verona'], { principals: [guest.email] });
    expect(body.subscribed).toEqual({ [guest.email]: ['Verona'] });
  });

  test('Only administrators can create announcement-only streams', async () => {
    expect(await add(member, ['news'], { is_announcement_only: true })).toMatchObject(
      error('User cannot create a stream with these settings.', { code: 'BAD_REQUEST' }),
    );
    expect((await add(member, ['announcements'], { is_announcement_only: true })).status).toBe(200);
  });
});
