import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { newUser, userOf, type TestUser } from '../../../support/chat/chat';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let guest: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOG_LEVEL: 'error' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member, guest] = (await Promise.all(['owner', 'member', 'guest'].map((name) => userOf(node, name)))) as [
    TestUser,
    TestUser,
    TestUser,
  ];
});
afterAll(() => cluster.close());

const error = (msg: string, more: object = {}) => ({ status: 400, body: { result: 'error', msg, ...more } });
const add = (by: TestUser, names: string[], more: object = {}) =>
  by.post('/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })), ...more });

describe('Settings of an organisation', () => {
  test("Administrators change the organisation's settings, and each change is published to everybody", async () => {
    const listen = await guest.listen(['realm']);
    expect(await member.patch('/realm', { allow_edit_history: false })).toMatchObject(
      error('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' }),
    );
    const { body } = await owner.patch('/realm', {
      name: '"Renamed"',
      description: 'plain words',
      allow_edit_history: false,
      allow_message_editing: true,
      message_content_edit_limit_seconds: 60,
      allow_message_deleting: true,
      unknown_thing: 1,
    });
    expect(body).toEqual({
      result: 'success',
      msg: '',
      name: 'updated',
      description: 'updated',
      allow_edit_history: false,
      message_content_edit_limit_seconds: 60,
      allow_message_deleting: true,
    });
    expect((await owner.patch('/realm', { allow_edit_history: false })).body).toEqual({ result: 'success', msg: '' });
    const update = { type: 'realm', op: 'update' };
    const group = { type: 'realm', op: 'update_dict', property: 'default' };
    expect(await listen()).toEqual([
      { ...update, property: 'name', value: 'Renamed' },
      { ...update, property: 'description', value: 'plain words' },
      { ...update, property: 'allow_edit_history', value: false },
      {
        ...group,
        data: {
          allow_message_editing: true,
          message_content_edit_limit_seconds: 60,
          allow_community_topic_editing: true,
        },
      },
      { ...group, data: { allow_message_deleting: true, message_content_delete_limit_seconds: 600 } },
    ]);
    expect((await node.call('/api/v1/server_settings')).body).toMatchObject({
      realm_name: 'Renamed',
      realm_description: '<p>plain words</p>',
    });
  });

  test('Settings of an organisation outside their limits are refused', async () => {
    for (const [fields, msg] of [
      [{ name: 'x'.repeat(41) }, 'Organization name is too long.'],
      [{ description: 'x'.repeat(1001) }, 'Organization description is too long.'],
      [{ create_stream_policy: 5 }, 'Invalid create_stream_policy'],
      [{ waiting_period_threshold: -1 }, "Bad value for 'waiting_period_threshold': -1"],
      [{ waiting_period_threshold: 'x' }, "Bad value for 'waiting_period_threshold': x"],
      [{ mandatory_topics: 'True' }, 'Argument "mandatory_topics" is not valid JSON.'],
      [{ mandatory_topics: 1 }, 'mandatory_topics is not a boolean'],
      [{ default_language: 'klingon!' }, "Invalid language 'klingon!'"],
      [{ message_retention_days: 0 }, "Bad value for 'message_retention_days': 0"],
      [{ notifications_stream_id: 999_999 }, 'Invalid stream id'],
      [{ video_chat_provider: 2 }, 'Invalid video_chat_provider'],
      [{ video_chat_provider: 3 }, 'Invalid video_chat_provider'],
      [{ jitsi_server_url: 'javascript:alert(1)' }, 'Invalid jitsi_server_url'],
      [{ jitsi_server_url: 'https://meet.example.org/)(' }, 'Invalid jitsi_server_url'],
    ] as const) {
      expect(await owner.patch('/realm', fields)).toMatchObject(error(msg));
    }
    expect((await owner.patch('/realm', { message_retention_days: 'null' })).body).toEqual({
      result: 'success',
      msg: '',
    });
  });

  test("The organisation's settings decide who can create streams", async () => {
    await owner.patch('/realm', { create_stream_policy: 2 });
    expect(await add(member, ['new'])).toMatchObject(error('User cannot create streams.', { code: 'BAD_REQUEST' }));
    expect((await add(member, ['test'])).status).toBe(200);
    expect((await add(owner, ['new'])).status).toBe(200);
    await owner.patch('/realm', { create_stream_policy: 3, waiting_period_threshold: 1 });
    expect(await add(member, ['newer'])).toMatchObject(error('User cannot create streams.'));
    await node.kernel.mysql('chat_users').where({ id: member.id }).update({ joined_at: '2020-01-01' });
    expect((await add(member, ['newer'])).status).toBe(200);
    await owner.patch('/realm', { create_stream_policy: 1 });
  });

  test("The organisation's settings decide who can subscribe other users", async () => {
    const fresh = await newUser(node, 'freshly');
    await owner.patch('/realm', { invite_to_stream_policy: 2 });
    const onlyAdmins = await add(member, ['test'], { principals: [fresh.email] });
    expect(onlyAdmins).toMatchObject(error("Only administrators can modify other users' subscriptions."));
    expect(onlyAdmins.body).not.toHaveProperty('code');
    await owner.patch('/realm', { invite_to_stream_policy: 3 });
    expect(await add(fresh, ['test'], { principals: [member.email] })).toMatchObject(
      error("Your account is too new to modify other users' subscriptions."),
    );
    expect((await add(owner, ['test'], { principals: [fresh.email] })).status).toBe(200);
  });
});
