import { newUser, userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let other: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member, other] = [await userOf(node, 'owner'), await userOf(node, 'member'), await userOf(node, 'other')];
});
afterAll(() => cluster.close());

const [OWNER, ADMIN, MODERATOR, MEMBER, GUEST] = [100, 200, 300, 400, 600];
const TODAY = { client_capabilities: { notification_settings_null: true, user_settings_object: true } };
const refused = (msg: string, code = 'BAD_REQUEST') => ({ status: 400, body: { result: 'error', code, msg } });
const ownersOnly = refused('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL');
const success = { status: 200, body: { result: 'success' } };
const give = (role: number, to = member, by = owner) => by.patch(`/users/${to.id}`, { role });
const roles = async (): Promise<Map<number, number>> => {
  const { body } = await owner.post('/register', { fetch_event_types: ['realm_user'], event_types: [], ...TODAY });
  return new Map(body.realm_users.map(({ user_id, role }: { user_id: number; role: number }) => [user_id, role]));
};
const roleOf = async ({ id }: TestUser) => (await roles()).get(id);

describe('Roles', () => {
  afterEach(() => give(MEMBER));

  test('The first administrator owns the organisation, and gives every role', async () => {
    expect(await roleOf(owner)).toBe(OWNER);
    for (const role of [OWNER, ADMIN, MODERATOR, GUEST, MEMBER]) {
      expect(await give(role)).toMatchObject(success);
      expect(await roleOf(member)).toBe(role);
    }
    for (const role of [0, 1, 500]) expect(await give(role)).toMatchObject(refused('Invalid role'));
  });

  test('Clients of 2.1 are told whether somebody is an administrator or a guest, today’s the role', async () => {
    const ends = [await other.listen(['realm_user']), await other.listen(['realm_user'], TODAY)] as const;
    for (const role of [OWNER, ADMIN, MODERATOR, GUEST, MEMBER]) await give(role);
    const [old, today] = [await ends[0](), await ends[1]()];
    const seen = old.map(({ person: { is_admin, is_guest } }) => ({ is_admin, is_guest }));
    expect(seen.filter((each) => Object.values(each).some((value) => value !== undefined))).toEqual([
      { is_admin: true },
      { is_admin: false },
      { is_guest: true },
      { is_guest: false },
    ]);
    const told = today.map(({ person }) => person.role as number);
    expect(told.filter((role, index) => role !== told[index - 1])).toEqual([OWNER, ADMIN, MODERATOR, GUEST, MEMBER]);
  });

  test('A list of people has their roles for whoever asks for them', async () => {
    await give(MODERATOR);
    const listed = async (wishes: Record<string, unknown>) =>
      (await other.get('/users', wishes)).body.members.find((each: { user_id: number }) => each.user_id === member.id);
    expect(await listed({})).not.toHaveProperty('role');
    expect(await listed({ include_roles: true })).toMatchObject({ role: MODERATOR, is_admin: false });
  });

  test('Only owners make owners, and change or deactivate them', async () => {
    const admin = await newUser(node, 'second-admin', 'admin');
    expect(await roleOf(admin)).toBe(ADMIN);
    expect(await give(OWNER, member, admin)).toMatchObject(ownersOnly);
    expect(await give(MODERATOR, member, admin)).toMatchObject(success);
    expect(await give(ADMIN, owner, admin)).toMatchObject(ownersOnly);
    expect(await admin.patch(`/users/${owner.id}`, { is_admin: false })).toMatchObject(ownersOnly);
    expect(await admin.del(`/users/${owner.id}`)).toMatchObject(ownersOnly);
    expect(await give(MODERATOR, owner, member)).toMatchObject({ status: 400 });
    await owner.del(`/users/${admin.id}`);
  });

  test('The last owner stays', async () => {
    const admin = await newUser(node, 'third-admin', 'admin');
    const stays = 'The owner permission cannot be removed from the only organization owner.';
    expect(await give(ADMIN, owner)).toMatchObject(refused(stays));
    expect(await owner.del('/users/me')).toMatchObject(refused('Cannot deactivate the only organization owner'));
    await give(OWNER, admin);
    expect(await give(ADMIN, owner)).toMatchObject(success);
    expect(await give(OWNER, owner, owner)).toMatchObject(ownersOnly);
    expect(await give(OWNER, owner, admin)).toMatchObject(success);
    expect(await owner.del(`/users/${admin.id}`)).toMatchObject(success);
  });

  test('What clients of 2.1 say of administrators and guests leaves titles alone', async () => {
    await give(MODERATOR);
    await owner.patch(`/users/${member.id}`, { is_guest: false, is_admin: false });
    expect(await roleOf(member)).toBe(MODERATOR);
    await owner.patch(`/users/${member.id}`, { is_admin: true });
    expect(await roleOf(member)).toBe(ADMIN);
    await owner.patch(`/users/${owner.id}`, { is_admin: true });
    expect(await roleOf(owner)).toBe(OWNER);
  });
});

describe('Moderators', () => {
  beforeAll(() => give(MODERATOR));
  afterAll(() => give(MEMBER));
  const create = (name: string, by: TestUser) => by.post('/users/me/subscriptions', { subscriptions: [{ name }] });

  test('create streams where moderators may, and are never newcomers', async () => {
    for (const policy of [4, 3]) {
      await owner.patch('/realm', { create_stream_policy: policy, waiting_period_threshold: 100 });
      expect(await create(`by a moderator ${policy}`, member)).toMatchObject(success);
      expect(await create(`by a member ${policy}`, other)).toMatchObject({ status: 400 });
    }
    await owner.patch('/realm', { create_stream_policy: 1 });
  });

  test('change groups and invite people where that is left to them', async () => {
    const group = (by: TestUser, name: string) =>
      by.post('/user_groups/create', { name, description: '', members: [other.id] });
    const { stream_id: id } = (await owner.get('/get_stream_id', { stream: 'test' })).body;
    let count = 0;
    const invite = async (by: TestUser) => {
      count += 1;
      return (await by.post('/invites', { invitee_emails: `to${count}@example.net`, stream_ids: [id] })).status;
    };
    for (const policy of [4, 3]) {
      const policies = {
        user_group_edit_policy: policy,
        invite_to_realm_policy: policy,
        waiting_period_threshold: 100,
      };
      await owner.patch('/realm', policies);
      expect(await group(member, `tea ${policy}`)).toMatchObject(success);
      expect(await group(other, 'coffee')).toMatchObject(refused('Insufficient permission'));
      expect([await invite(member), await invite(other)]).toEqual([200, 400]);
    }
    const [{ id: tea }] = (await member.get('/user_groups')).body.user_groups;
    expect(await member.patch(`/user_groups/${tea}`, { description: 'not in it' })).toMatchObject(success);
    await owner.patch('/realm', { invite_to_realm_policy: 6 });
    expect([await invite(owner), await invite(member)]).toEqual([400, 400]);
    expect(await owner.patch('/realm', { invite_to_realm_policy: 5 })).toMatchObject({ status: 400 });
    await owner.patch('/realm', { user_group_edit_policy: 1, invite_to_realm_policy: 1 });
    expect(await invite(other)).toBe(200);
  });

  test('write to streams that moderators, or no newcomers, may write to', async () => {
    const { stream_id: id } = (await owner.get('/get_stream_id', { stream: 'test' })).body;
    const say = (by: TestUser) => by.post('/messages', { type: 'stream', to: 'test', topic: 'x', content: 'y' });
    const guest = await userOf(node, 'guest');
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'test' }], principals: [guest.id] });
    const ends = [await other.listen(['stream']), await other.listen(['stream'], TODAY)] as const;
    await owner.patch(`/streams/${id}`, { stream_post_policy: 4 });
    expect(await say(member)).toMatchObject(success);
    expect(await say(owner)).toMatchObject(success);
    const moderated = 'Only organization administrators and moderators can send to this stream.';
    expect(await say(other)).toMatchObject(refused(moderated));
    await owner.patch(`/streams/${id}`, { stream_post_policy: 3 });
    expect(await say(member)).toMatchObject(success);
    expect(await say(other)).toMatchObject(refused('New members cannot send to this stream.'));
    expect(await say(guest)).toMatchObject(refused('Guests cannot send to this stream.'));
    await owner.patch(`/streams/${id}`, { stream_post_policy: 2 });
    expect(await say(member)).toMatchObject({ status: 400 });
    await owner.patch(`/streams/${id}`, { is_announcement_only: false });
    expect(await say(other)).toMatchObject(success);
    expect(await owner.patch(`/streams/${id}`, { stream_post_policy: 5 })).toMatchObject(
      refused('Invalid stream_post_policy'),
    );
    const old = (await ends[0]()).filter(({ property }) => property === 'is_announcement_only');
    expect(old.map(({ value }) => value)).toEqual([false, false, true, false]);
    const today = await ends[1]();
    const valuesOf = (name: string) => today.filter(({ property }) => property === name).map(({ value }) => value);
    expect(valuesOf('stream_post_policy')).toEqual([1, 4, 1, 3, 2, 1]);
    const { body } = await owner.get('/user_groups', { include_deactivated_groups: false });
    const idOf = (name: string) => body.user_groups.find((each: { name: string }) => each.name === `role:${name}`).id;
    expect(valuesOf('can_send_message_group')).toEqual(
      ['moderators', 'fullmembers', 'administrators', 'everyone'].map(idOf),
    );
  });

  test('A stream knows who created it, and is created with its policy', async () => {
    const policy = { stream_post_policy: 4 };
    const subscriptions = [{ name: 'moderated' }];
    expect(await owner.post('/users/me/subscriptions', { subscriptions, ...policy })).toMatchObject(success);
    expect(await other.post('/users/me/subscriptions', { subscriptions: [{ name: 'z' }], ...policy })).toMatchObject({
      status: 400,
    });
    const { body } = await owner.post('/register', { fetch_event_types: ['stream'], event_types: [], ...TODAY });
    const made = body.streams.find(({ name }: { name: string }) => name === 'moderated');
    expect(made).toMatchObject({ ...policy, creator_id: owner.id, is_announcement_only: false });
  });
});
