import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { callerOf, demoPeople, refusal, type DemoPeople } from '../../../support/chat/people';
import { basicHeader } from '../../../support/http/client';
import { publishedBy } from '../../../support/chat/published';

let cluster: Cluster;
let node: TestNode;
let people: DemoPeople;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  people = await demoPeople(node);
});
afterAll(() => cluster.close());

const ADMINS_ONLY = refusal('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });
const draft = (name: string) => ({
  email: `${name}@example.com`,
  password: 'plain words of nobody',
  full_name: `New ${name}`,
  short_name: name,
});
const memberOf = async (email: string) =>
  (await people.owner.get('/users')).body.members.find((each: { email: string }) => each.email === email);

describe('GET /users', () => {
  test('GET /users returns every specified field of people and bots', async () => {
    const { status, body } = await people.member.get('/users');
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: 'success', msg: '' });
    const find = (email: string) => body.members.find((each: { email: string }) => each.email === email);
    expect(find('member@example.com')).toEqual({
      user_id: people.member.id,
      email: 'member@example.com',
      full_name: 'Max Member',
      avatar_url: expect.stringContaining('https://secure.gravatar.com/avatar/'),
      is_bot: false,
      is_admin: false,
      is_active: true,
      is_guest: false,
      bot_type: null,
      date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\+00:00$/),
      timezone: '',
    });
    expect(find('helper-bot@example.com')).toMatchObject({
      is_bot: true,
      bot_type: 1,
      bot_owner: 'member@example.com',
      bot_owner_id: people.member.id,
    });
    expect(find('guest@example.com')).toMatchObject({ is_guest: true, is_admin: false });
    expect(find('owner@example.com')).toMatchObject({ is_admin: true });
  });

  test.each(['client_avatar', 'client_gravatar'])(
    'The option %s of GET /users leaves default avatars to the client',
    async (name) => {
      const { body } = await people.guest.get('/users', { [name]: 'true' });
      expect(body.members.every((each: { avatar_url: unknown }) => each.avatar_url === null)).toBe(true);
      expect(await people.guest.get('/users', { [name]: 'True' })).toMatchObject(
        refusal(`Argument "${name}" is not valid JSON.`, { code: 'BAD_REQUEST' }),
      );
    },
  );

  test('GET /users includes profile data only if the request asks for it', async () => {
    const { body } = await people.other.get('/users', { include_custom_profile_fields: 'true' });
    const find = (email: string) => body.members.find((each: { email: string }) => each.email === email);
    expect(find('member@example.com').profile_data).toEqual({});
    expect(find('helper-bot@example.com')).not.toHaveProperty('profile_data');
  });
});

describe('POST /users', () => {
  test('Only administrators can create users', async () => {
    expect(await people.member.post('/users', draft('nobody'))).toMatchObject(ADMINS_ONLY);
    expect(await people.guest.post('/users', draft('nobody'))).toMatchObject(ADMINS_ONLY);
  });

  test('A new user can log in, gets the default streams and is published to everybody', async () => {
    const published = await publishedBy(node.kernel, () => people.owner.post('/users', draft('ann')));
    expect(published[0]).toEqual({
      to: 'everyone',
      event: {
        type: 'realm_user',
        op: 'add',
        person: {
          email: 'ann@example.com',
          user_id: expect.any(Number),
          is_admin: false,
          is_guest: false,
          is_bot: false,
          full_name: 'New ann',
          avatar_url: expect.any(String),
          timezone: '',
          date_joined: expect.any(String),
          profile_data: {},
        },
      },
    });
    expect(published.map(({ event }) => `${event.type}/${event.op}`)).toEqual(
      expect.arrayContaining(['subscription/add', 'subscription/peer_add']),
    );
    const login = { username: 'ann@example.com', password: 'plain words of nobody' };
    const { body } = await node.call('/api/v1/fetch_api_key', { form: login });
    const ann = await callerOf(node, 'ann@example.com', basicHeader('ann@example.com', body.api_key));
    expect((await ann.get('/users/me')).body).toMatchObject({ full_name: 'New ann', short_name: 'ann' });
    const subscriptions = (await ann.get('/users/me/subscriptions')).body.subscriptions;
    expect(subscriptions.map(({ name }: { name: string }) => name)).toEqual(['general']);
  });

  test.each([
    [
      'an email address that is taken',
      { ...draft('a'), email: 'OTHER@example.com' },
      "Email 'OTHER@example.com' already in use",
    ],
    ['a malformed email address', { ...draft('a'), email: 'nothing' }, 'Bad name or username'],
    ['a name that is too short', { ...draft('a'), full_name: ' A ' }, 'Name too short!'],
    ['a name that is too long', { ...draft('a'), full_name: 'x'.repeat(101) }, 'Name too long!'],
    ['a name that would end a mention', { ...draft('a'), full_name: 'Ada**' }, 'Invalid characters in name!'],
  ])('POST /users refuses %s', async (_, form, msg) => {
    expect(await people.owner.post('/users', form)).toMatchObject(refusal(msg));
  });

  test('POST /users names the parameter that is missing', async () => {
    expect(await people.owner.post('/users', { email: 'b@example.com', full_name: 'Bo' })).toMatchObject(
      refusal("Missing 'password' argument", { code: 'REQUEST_VARIABLE_MISSING', var_name: 'password' }),
    );
  });
});

describe('PATCH /users/{id}', () => {
  const path = () => `/users/${people.other.id}`;

  test("Changing a user's name publishes the change to everybody", async () => {
    const published = await publishedBy(node.kernel, () => people.owner.patch(path(), { full_name: '"Ola Second"' }));
    expect(published).toEqual([
      {
        to: 'everyone',
        event: {
          type: 'realm_user',
          op: 'update',
          person: { user_id: people.other.id, email: 'other@example.com', full_name: 'Ola Second' },
        },
      },
    ]);
    expect((await people.owner.patch(path(), { full_name: 'Ola Other' })).status).toBe(200);
    expect(await memberOf('other@example.com')).toMatchObject({ full_name: 'Ola Other' });
    expect(await people.owner.patch(path(), { full_name: '"A"' })).toMatchObject(refusal('Name too short!'));
  });

  test('Role changes are published, and no user is guest and administrator at once', async () => {
    const published = await publishedBy(node.kernel, () => people.owner.patch(path(), { is_admin: 'true' }));
    expect(published.map(({ event }) => event.person ?? event)).toEqual([
      { user_id: people.other.id, email: 'other@example.com', is_admin: true },
      { type: 'revocation', user_id: people.other.id },
    ]);
    expect(published[1]!.to).toEqual([]);
    const both = refusal('Guests cannot be organization administrators');
    expect(await people.owner.patch(path(), { is_guest: 'true' })).toMatchObject(both);
    expect((await people.owner.patch(path(), { is_guest: 'true', is_admin: 'false' })).status).toBe(200);
    expect(await memberOf('other@example.com')).toMatchObject({ is_guest: true, is_admin: false });
    expect((await people.owner.patch(path(), { is_guest: 'false' })).status).toBe(200);
  });

  test('The only administrator of an organisation cannot be demoted or deactivated', async () => {
    const own = `/users/${people.owner.id}`;
    expect(await people.owner.patch(own, { is_admin: 'false' })).toMatchObject(
      refusal('Cannot remove the only organization administrator'),
    );
    const alone = refusal('Cannot deactivate the only organization administrator');
    expect(await people.owner.del(own)).toMatchObject(alone);
    expect(await people.owner.del('/users/me')).toMatchObject(alone);
  });

  test('Two administrators cannot demote each other at the same time', async () => {
    await people.owner.patch(path(), { is_admin: 'true' });
    const answers = await Promise.all([
      people.owner.patch(path(), { is_admin: 'false' }),
      people.other.patch(`/users/${people.owner.id}`, { is_admin: 'false' }),
    ]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    const admins = (await people.member.get('/users')).body.members.filter(
      (each: { is_admin: boolean }) => each.is_admin,
    );
    expect(admins).toHaveLength(1);
    if (admins[0].email === 'other@example.com') {
      await people.other.patch(`/users/${people.owner.id}`, { is_admin: 'true' });
      await people.owner.patch(path(), { is_admin: 'false' });
    }
  });

  test('Only administrators change users, and only users of their own organisation', async () => {
    expect(await people.member.patch(path(), { full_name: '"Xx"' })).toMatchObject(ADMINS_ONLY);
    expect(await people.owner.patch('/users/999999', { full_name: '"Xx"' })).toMatchObject(refusal('No such user'));
  });
});

describe('Deactivation and reactivation', () => {
  test('Deactivating a user locks them and their bots out until an administrator reactivates them', async () => {
    await people.owner.post('/users', draft('cleo'));
    const cleo = await callerOf(node, 'cleo@example.com');
    const bot = (await cleo.post('/bots', { full_name: 'Cleo Bot', short_name: 'cleo' })).body;

    const published = await publishedBy(node.kernel, () => people.owner.del(`/users/${cleo.id}`));
    expect(published.map(({ to, event }) => [to, event.type, event.op ?? event.user_id])).toEqual([
      ['everyone', 'realm_user', 'remove'],
      [[], 'revocation', cleo.id],
      ['everyone', 'realm_user', 'remove'],
      [[people.owner.id, cleo.id], 'realm_bot', 'remove'],
      [[], 'revocation', bot.user_id],
    ]);
    expect(published[0]!.event.person).toEqual({ email: 'cleo@example.com', user_id: cleo.id, full_name: 'New cleo' });
    expect((await cleo.get('/users/me')).body.msg).toBe('Account is deactivated');
    expect(await memberOf('cleo@example.com')).toMatchObject({ is_active: false });

    const back = await publishedBy(node.kernel, () => people.owner.post(`/users/${cleo.id}/reactivate`));
    expect(back[0]!.event).toMatchObject({ type: 'realm_user', op: 'add', person: { user_id: cleo.id } });
    expect((await cleo.get('/users/me')).status).toBe(200);
  });

  test('Only administrators can deactivate users, and the route does not accept bots', async () => {
    expect(await people.member.del(`/users/${people.guest.id}`)).toMatchObject(ADMINS_ONLY);
    expect(await people.member.post(`/users/${people.guest.id}/reactivate`)).toMatchObject(ADMINS_ONLY);
    expect(await people.owner.del(`/users/${people.helper.id}`)).toMatchObject(refusal('No such user'));
    expect(await people.helper.del('/users/me')).toMatchObject(refusal('This endpoint does not accept bot requests.'));
  });
});

test("Regenerating a user's own key ends the old key", async () => {
  await people.owner.post('/users', draft('dora'));
  const dora = await callerOf(node, 'dora@example.com');
  const { body } = await dora.post('/users/me/api_key/regenerate');
  expect(body.api_key).toMatch(/^[A-Za-z0-9]{32}$/);
  expect((await dora.get('/users/me')).status).toBe(401);
  expect((await node.call('/api/v1/users/me', { headers: basicHeader('dora@example.com', body.api_key) })).status).toBe(
    200,
  );
});
