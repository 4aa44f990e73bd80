import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { callerOf, demoPeople, refusal, type DemoPeople } from '../../../support/chat/people';
import { basicHeader } from '../../../support/http/client';
import { publishedBy } from '../../../support/chat/published';

let cluster: Cluster;
let node: TestNode;
let people: DemoPeople;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', PUBLIC_URL: 'https://chat.example.org' });
  await cluster.seed();
  node = await cluster.node();
  people = await demoPeople(node);
});
afterAll(() => cluster.close());

const make = (name: string, more: Record<string, string> = {}) =>
  people.member.post('/bots', { full_name: `Bot ${name}`, short_name: name, ...more });

describe('POST /bots', () => {
  test('Creating a bot returns its key and publishes realm_user to all, realm_bot to owner and admins', async () => {
    const event_types = JSON.stringify(['realm_bot']);
    const { queue_id } = (await people.member.post('/register', { event_types })).body;
    let answer: Awaited<ReturnType<typeof make>>;
    const published = await publishedBy(node.kernel, async () => {
      answer = await make('echo', { default_sending_stream: 'general' });
    });
    const { body } = answer!;
    expect(body).toEqual({
      result: 'success',
      msg: '',
      user_id: expect.any(Number),
      api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      avatar_url: expect.any(String),
      service_interface: null,
      service_payload_url: null,
      config_data: null,
      default_sending_stream: 'general',
      default_events_register_stream: null,
      default_all_public_streams: false,
      bot_owner: 'member@example.com',
    });
    expect(published).toEqual([
      {
        to: 'everyone',
        event: {
          type: 'realm_user',
          op: 'add',
          person: expect.objectContaining({
            email: 'echo-bot@chat.example.org',
            is_bot: true,
            bot_type: 1,
            bot_owner_id: people.member.id,
          }),
        },
      },
      {
        to: [people.owner.id, people.member.id],
        event: {
          type: 'realm_bot',
          op: 'add',
          bot: {
            email: 'echo-bot@chat.example.org',
            user_id: body.user_id,
            full_name: 'Bot echo',
            bot_type: 1,
            is_active: true,
            api_key: null,
            default_sending_stream: 'general',
            default_events_register_stream: null,
            default_all_public_streams: false,
            avatar_url: expect.any(String),
            services: [],
            owner: 'member@example.com',
          },
        },
      },
    ]);
    const { events } = (await people.member.get('/events', { queue_id, last_event_id: '-1' })).body;
    expect(events[0].bot).toEqual({ ...published[1]!.event.bot, api_key: body.api_key });
    const outbox = JSON.stringify(await node.kernel.mysql('kernel_outbox').select('body'));
    expect(outbox).not.toContain(body.api_key);
    const header = basicHeader('echo-bot@chat.example.org', body.api_key);
    expect((await node.call('/api/v1/users/me', { headers: header })).body).toMatchObject({ is_bot: true });
  });

  test('An incoming webhook bot cannot call the general API', async () => {
    const { body } = await make('hook', { bot_type: '2' });
    const headers = basicHeader('hook-bot@chat.example.org', body.api_key);
    expect((await node.call('/api/v1/users', { headers })).body.msg).toBe(
      'This API is not available to incoming webhook bots.',
    );
  });

  test('Creating an embedded bot or a bot of an unknown type is refused with a reason', async () => {
    expect((await make('out', { bot_type: '4' })).body.msg).toMatch('no embedded bots');
    expect(await make('out', { bot_type: '7' })).toMatchObject(refusal('Invalid bot type', { code: 'BAD_REQUEST' }));
  });

  test('Creating a bot with a taken, malformed or too short name is refused', async () => {
    expect(await make('echo', { full_name: 'Another One' })).toMatchObject(refusal('Username already in use'));
    expect(await make('echo2', { full_name: 'bot ECHO' })).toMatchObject(refusal('Name is already in use!'));
    expect(await make('x y')).toMatchObject(refusal('Bad name or username'));
    expect(await make(' ')).toMatchObject(refusal('Bad name or username'));
    expect(await make('short', { full_name: 'x' })).toMatchObject(refusal('Name too short!'));
  });

  test("Guests and bots create no bots, and a bot's default streams must be visible to its creator", async () => {
    const form = { full_name: 'Nobody', short_name: 'nobody' };
    expect(await people.guest.post('/bots', form)).toMatchObject(refusal('Not allowed for guest users'));
    expect(await people.helper.post('/bots', form)).toMatchObject(
      refusal('This endpoint does not accept bot requests.'),
    );
    expect(await make('spy', { default_sending_stream: 'leadership' })).toMatchObject(
      refusal("Invalid stream name 'leadership'"),
    );
  });

  test('An organisation can restrict the creation of bots to administrators', async () => {
    await people.owner.patch('/realm', { bot_creation_policy: '3' });
    expect(await make('late')).toMatchObject(refusal('Must be an organization administrator'));
    await people.owner.patch('/realm', { bot_creation_policy: '2' });
    expect(await make('late')).toMatchObject(refusal('Must be an organization administrator'));
    expect((await make('later', { bot_type: '2' })).status).toBe(200);
    await people.owner.patch('/realm', { bot_creation_policy: '1' });
  });
});

describe('One bot', () => {
  let id: number;
  beforeAll(async () => {
    id = (await make('one')).body.user_id;
  });

  test('A bot is listed with its key for its owner and for no other member', async () => {
    const { bots } = (await people.member.get('/bots')).body;
    expect(bots.find((bot: { user_id: number }) => bot.user_id === id)).toEqual({
      username: 'one-bot@chat.example.org',
      user_id: id,
      full_name: 'Bot one',
      bot_type: 1,
      api_key: expect.stringMatching(/^\w{32}$/),
      avatar_url: expect.any(String),
      services: [],
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
    });
    expect((await people.other.get('/bots')).body.bots).toEqual([]);
  });

  test('Only the owner and administrators can change, read or delete a bot', async () => {
    const denied = refusal('Insufficient permission');
    expect(await people.other.patch(`/bots/${id}`, { full_name: 'Mine Now' })).toMatchObject(denied);
    expect(await people.other.post(`/bots/${id}/api_key/regenerate`)).toMatchObject(denied);
    expect(await people.other.get(`/bots/${id}/zuliprc`)).toMatchObject(denied);
    expect(await people.other.del(`/bots/${id}`)).toMatchObject(denied);
    expect(await people.member.patch('/bots/999999', {})).toMatchObject(refusal('No such bot'));
    expect(await people.owner.patch(`/bots/${people.member.id}`, {})).toMatchObject(refusal('No such bot'));
  });

  test("A bot's name, streams and owner can be changed, and each change is published", async () => {
    let answer: Awaited<ReturnType<typeof people.owner.patch>>;
    const published = await publishedBy(node.kernel, async () => {
      answer = await people.owner.patch(`/bots/${id}`, {
        full_name: 'Bot Uno',
        bot_owner_id: String(people.other.id),
        default_all_public_streams: 'true',
        default_events_register_stream: 'test',
      });
    });
    expect(answer!.body).toMatchObject({
      full_name: 'Bot Uno',
      bot_owner: 'other@example.com',
      default_all_public_streams: true,
      default_events_register_stream: 'test',
    });
    const [owner, member, other] = [people.owner.id, people.member.id, people.other.id];
    const { email } = published[0]!.event.person;
    const changed = (change: object) => ({ user_id: id, email, ...change });
    expect(published.map(({ to, event }) => [to, `${event.type}/${event.op}`, event.person ?? event.bot])).toEqual([
      ['everyone', 'realm_user/update', changed({ full_name: 'Bot Uno' })],
      [[owner, member], 'realm_bot/update', changed({ full_name: 'Bot Uno' })],
      [[member], 'realm_bot/remove', expect.objectContaining({ user_id: id })],
      [[other], 'realm_bot/add', expect.objectContaining({ user_id: id, api_key: null, owner: 'other@example.com' })],
      [[owner], 'realm_bot/update', changed({ owner_id: other })],
      ['everyone', 'realm_user/update', changed({ bot_owner_id: other })],
      [[owner, other], 'realm_bot/update', changed({ default_events_register_stream: 'test' })],
      [[owner, other], 'realm_bot/update', changed({ default_all_public_streams: true })],
    ]);
  });

  test('A bot cannot be given to an unknown owner or to another bot', async () => {
    const give = (to: number) => people.owner.patch(`/bots/${id}`, { bot_owner_id: String(to) });
    expect(await give(999_999)).toMatchObject(refusal('Failed to change owner, no such user'));
    expect(await give(people.helper.id)).toMatchObject(refusal("Failed to change owner, bots can't own other bots"));
  });

  test("Regenerating a bot's key ends the old key, and the new key appears in no event", async () => {
    const old = (await people.other.get('/bots')).body.bots[0];
    let key = '';
    const published = await publishedBy(node.kernel, async () => {
      key = (await people.other.post(`/bots/${id}/api_key/regenerate`)).body.api_key;
    });
    expect(published.map(({ to, event }) => [to, event.type])).toEqual([
      [[people.owner.id, people.other.id], 'realm_bot'],
      [[], 'revocation'],
    ]);
    expect(JSON.stringify(published)).not.toContain(key);
    const me = (secret: string) => node.call('/api/v1/users/me', { headers: basicHeader(old.username, secret) });
    expect((await me(old.api_key)).status).toBe(401);
    expect((await me(key)).status).toBe(200);
  });

  test('The owner of a bot can download its zuliprc', async () => {
    const { headers, text } = await people.other.get(`/bots/${id}/zuliprc`);
    const [bot] = (await people.other.get('/bots')).body.bots;
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="zuliprc"');
    expect(text).toBe(`[api]\nemail=${bot.username}\nkey=${bot.api_key}\nsite=https://chat.example.org\n`);
  });

  test('A deactivated bot disappears from the list until an administrator reactivates it', async () => {
    expect((await people.other.del(`/bots/${id}`)).status).toBe(200);
    expect((await people.other.get('/bots')).body.bots).toEqual([]);
    expect(await people.other.del(`/bots/${id}`)).toMatchObject(refusal('No such bot'));
    const back = await publishedBy(node.kernel, () => people.owner.post(`/users/${id}/reactivate`));
    expect(back.map(({ event }) => `${event.type}/${event.op ?? ''}`)).toEqual([
      'realm_user/add',
      'realm_bot/add',
      'revocation/',
    ]);
  });
});

test("A bot's storage is private to the bot", async () => {
  const helper = await callerOf(node, 'helper-bot@example.com');
  expect((await helper.put('/bot_storage', { storage: '{"a":"1","b":"2"}' })).status).toBe(200);
  expect((await helper.get('/bot_storage', { keys: '["a"]' })).body).toMatchObject({ storage: { a: '1' } });
  expect((await helper.get('/bot_storage')).body.storage).toEqual({ a: '1', b: '2' });
  expect((await people.member.get('/bot_storage')).body.storage).toEqual({});
  expect(await helper.get('/bot_storage', { keys: '["c"]' })).toMatchObject(refusal('Key does not exist.'));
  expect((await helper.del('/bot_storage', { keys: '["a"]' })).status).toBe(200);
  expect((await helper.get('/bot_storage')).body.storage).toEqual({ b: '2' });
});
