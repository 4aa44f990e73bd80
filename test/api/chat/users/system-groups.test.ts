import { followTime } from '../../../../src/chat/commands/users/follow-time';
import { newUser, userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member] = [await userOf(node, 'owner'), await userOf(node, 'member')];
});
afterAll(() => cluster.close());

const mysql = () => node.kernel.mysql;

interface Group {
  readonly id: number;
  readonly name: string;
  readonly members: readonly number[];
  readonly direct_member_ids: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
  readonly is_system_group: boolean;
}

const TODAY = { client_capabilities: { notification_settings_null: true, user_settings_object: true } };
const groups = async (more: object = TODAY): Promise<Group[]> => {
  const form = { fetch_event_types: ['realm_user_groups'], event_types: [], ...more };
  return (await member.post('/register', form)).body.realm_user_groups;
};
const named = async (name: string): Promise<Group> => (await groups()).find((group) => group.name === name)!;

describe('Groups by role', () => {
  test("Each role has a group, with those above in it, that today's clients get", async () => {
    const found = await groups();
    const names = [
      'nobody',
      'owners',
      'administrators',
      'moderators',
      'fullmembers',
      'members',
      'everyone',
      'internet',
    ];
    expect(found.map(({ name }) => name)).toEqual(names.map((name) => `role:${name}`));
    expect(found.every((group) => group.is_system_group)).toBe(true);
    const [nobody, owners, ...above] = found;
    expect(nobody).toMatchObject({ members: [], direct_subgroup_ids: [] });
    expect(owners).toMatchObject({ members: [owner.id], direct_member_ids: [owner.id], direct_subgroup_ids: [] });
    for (const [index, group] of above.entries()) expect(group.direct_subgroup_ids).toEqual([found[index + 1]!.id]);
    expect((await named('role:members')).members).toContain(member.id);
    expect((await named('role:everyone')).members).toEqual([(await userOf(node, 'guest')).id]);
    expect(await groups({})).toEqual([]);
  });

  test('Membership follows the role', async () => {
    const ends = [await owner.listen(['user_group']), await owner.listen(['user_group'], TODAY)] as const;
    const newcomer = await newUser(node, 'newcomer');
    await owner.patch(`/users/${newcomer.id}`, { role: 300 });
    await owner.del(`/users/${newcomer.id}`);
    await owner.post(`/users/${newcomer.id}/reactivate`);
    const [old, today] = [await ends[0](), await ends[1]()];
    expect(old).toEqual([]);
    const ids = new Map((await groups()).map(({ id, name }) => [id, name.slice('role:'.length)]));
    expect(today.map(({ op, group_id, user_ids }) => [op, ids.get(group_id), user_ids])).toEqual([
      ['add_members', 'fullmembers', [newcomer.id]],
      ['add_members', 'members', [newcomer.id]],
      ['remove_members', 'fullmembers', [newcomer.id]],
      ['remove_members', 'members', [newcomer.id]],
      ['add_members', 'moderators', [newcomer.id]],
      ['remove_members', 'moderators', [newcomer.id]],
      ['add_members', 'moderators', [newcomer.id]],
    ]);
    expect((await named('role:moderators')).members).toEqual([newcomer.id]);
  });

  test('Membership of full members follows the time and the setting', async () => {
    const { id } = await named('role:fullmembers');
    const listen = await owner.listen(['user_group'], TODAY);
    const isFull = async () => (await named('role:fullmembers')).members.includes(member.id);
    await owner.patch('/realm', { waiting_period_threshold: 10 });
    expect(await isFull()).toBe(false);
    // As if the organisation had last looked ten days ago, and the member joined a day after that.
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    await mysql()('chat_realms').update({ full_members_until: days(20) });
    await mysql()('chat_users')
      .where({ id: member.id })
      .update({ joined_at: days(11) });
    expect(await isFull()).toBe(false);
    await followTime(node.kernel, new AbortController().signal);
    expect(await isFull()).toBe(true);
    await owner.patch('/realm', { waiting_period_threshold: 12 });
    expect(await isFull()).toBe(false);
    await owner.patch('/realm', { waiting_period_threshold: 0 });
    expect(await isFull()).toBe(true);
    const told = (await listen()).filter(({ group_id, user_ids }) => group_id === id && user_ids.includes(member.id));
    expect(told.map(({ op }) => op)).toEqual(['remove_members', 'add_members', 'remove_members', 'add_members']);
  });

  test("Today's clients list them, others do not", async () => {
    const made = { name: 'tea', description: '', members: [member.id] };
    await owner.post('/user_groups/create', made);
    const list = async (query = {}) => (await member.get('/user_groups', query)).body.user_groups as Group[];
    expect((await list()).map(({ name }) => name)).toEqual(['tea']);
    const found = await list({ include_deactivated_groups: true });
    expect(found).toEqual(await groups());
    const { id } = await named('role:members');
    const members = async (query = {}) => (await member.get(`/user_groups/${id}/members`, query)).body.members;
    expect(await members()).toEqual(expect.arrayContaining([owner.id, member.id]));
    expect(await members({ direct_member_only: true })).not.toContain(owner.id);
    expect(await member.get(`/user_groups/${id + 99}/members`)).toMatchObject({ status: 400 });
  });

  test('They are mentioned only silently', async () => {
    const { id } = await named('role:moderators');
    const rendered = async (content: string) => (await member.post('/messages/render', { content })).body.rendered;
    expect(await rendered('@_*role:moderators* and @_*tea*')).toMatch(
      new RegExp(
        `^<p><span class="user-group-mention silent" data-user-group-id="${id}">role:moderators</span> and ` +
          '<span class="user-group-mention silent" data-user-group-id="\\d+">tea</span></p>$',
      ),
    );
    expect(await rendered('@*role:moderators*')).not.toContain('user-group-mention');
  });

  test('Nobody changes them, or makes a group that looks like one', async () => {
    const { id } = await named('role:moderators');
    const refused = { status: 400, body: { msg: 'Insufficient permission' } };
    expect(await owner.patch(`/user_groups/${id}`, { name: 'mine' })).toMatchObject(refused);
    expect(await owner.del(`/user_groups/${id}`)).toMatchObject(refused);
    expect(await owner.post(`/user_groups/${id}/members`, { add: [member.id] })).toMatchObject(refused);
    expect(await owner.post(`/user_groups/${id}/subgroups`, { add: [id] })).toMatchObject(refused);
    const reserved = { status: 400, body: { msg: "User group name cannot start with 'role:'." } };
    const made = { name: 'role:tea', description: '', members: [] };
    expect(await owner.post('/user_groups/create', made)).toMatchObject(reserved);
  });
});
