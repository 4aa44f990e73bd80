import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { demoPeople, refusal, type DemoPeople } from '../../../support/chat/people';
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
const eventsOf = async (work: () => Promise<unknown>) => {
  const published = await publishedBy(node.kernel, work);
  expect(published.every(({ to }) => to === 'everyone')).toBe(true);
  return published.map(({ event }) => event);
};

describe('User groups', () => {
  const groups = async () => (await people.guest.get('/user_groups')).body.user_groups;
  const ids = (...who: { id: number }[]) => JSON.stringify(who.map(({ id }) => id));
  let id: number;

  test('A user group is created with its members, each of them once', async () => {
    const { member, owner } = people;
    const form = { name: 'backend', description: 'Servers', members: ids(member, owner, member) };
    const [event] = await eventsOf(() => member.post('/user_groups/create', form));
    id = event.group.id;
    const group = {
      id,
      name: 'backend',
      description: 'Servers',
      members: [owner.id, member.id],
      direct_subgroup_ids: [],
      is_system_group: false,
    };
    expect(event).toEqual({
      type: 'user_group',
      op: 'add',
      group: { ...group, members: expect.arrayContaining(group.members) },
    });
    expect(await groups()).toEqual([group]);
  });

  test('Creating a user group with a wrong name or wrong members is refused', async () => {
    const make = (form: Record<string, string>) =>
      people.member.post('/user_groups/create', { name: 'x', description: '', members: '[]', ...form });
    expect(await make({ name: 'BACKEND' })).toMatchObject(refusal("User group 'BACKEND' already exists."));
    expect(await make({ members: '[999999]' })).toMatchObject(refusal('Invalid user ID: 999999'));
    expect(await make({ members: '["a"]' })).toMatchObject(refusal('members[0] is not an integer'));
    expect(await make({ name: 'x'.repeat(101) })).toMatchObject(refusal('name is too long (limit: 100 characters)'));
    expect(await people.guest.post('/user_groups/create', { name: 'g', description: '' })).toMatchObject(
      refusal('Not allowed for guest users'),
    );
  });

  test("A user group's name and description can be changed by its members and administrators", async () => {
    const events = await eventsOf(async () => {
      const { body } = await people.owner.patch(`/user_groups/${id}`, { name: 'core', description: 'All servers' });
      expect(body).toMatchObject({
        name: 'Name successfully updated.',
        description: 'Description successfully updated.',
      });
    });
    const published = { type: 'user_group', op: 'update', group_id: id };
    expect(events).toEqual([
      { ...published, data: { name: 'core' } },
      { ...published, data: { description: 'All servers' } },
    ]);
    expect(await people.owner.patch(`/user_groups/${id}`)).toMatchObject(refusal('No new data supplied'));
    expect(await people.owner.patch('/user_groups/999999', { name: 'x' })).toMatchObject(refusal('Invalid user group'));
    expect(await people.other.patch(`/user_groups/${id}`, { name: 'x' })).toMatchObject(
      refusal('Insufficient permission'),
    );
  });

  test('Members are added to and removed from a user group, and both changes are published', async () => {
    const change = (form: Record<string, string>) => people.member.post(`/user_groups/${id}/members`, form);
    const events = await eventsOf(() => change({ add: ids(people.guest), delete: ids(people.owner) }));
    const published = { type: 'user_group', group_id: id };
    expect(events).toEqual([
      { ...published, op: 'add_members', user_ids: [people.guest.id] },
      { ...published, op: 'remove_members', user_ids: [people.owner.id] },
    ]);
    expect((await groups())[0].members).toEqual([people.member.id, people.guest.id]);
    expect(await change({})).toMatchObject(refusal('Nothing to do. Specify at least one of "add" or "delete".'));
    expect(await change({ add: ids(people.guest) })).toMatchObject(
      refusal(`User ${people.guest.id} is already a member of this group`),
    );
    expect(await change({ delete: ids(people.owner) })).toMatchObject(
      refusal(`There is no member '${people.owner.id}' in this user group`),
    );
  });

  test('An organisation can restrict the editing of user groups to administrators', async () => {
    await people.owner.patch('/realm', { user_group_edit_policy: '2' });
    expect(await people.member.del(`/user_groups/${id}`)).toMatchObject(ADMINS_ONLY);
    await people.owner.patch('/realm', { user_group_edit_policy: '1' });
  });

  test('Deleting a user group publishes its removal', async () => {
    const events = await eventsOf(() => people.member.del(`/user_groups/${id}`));
    expect(events).toEqual([{ type: 'user_group', op: 'remove', group_id: id }]);
    expect(await groups()).toEqual([]);
  });
});

describe('Profile fields', () => {
  const make = (form: Record<string, string>) => people.owner.post('/realm/profile_fields', form);
  const fields = async () => (await people.guest.get('/realm/profile_fields')).body.custom_fields;
  const choices = JSON.stringify({ a: { text: 'Vim', order: '1' }, b: { text: 'Emacs', order: '2' } });
  const id: Record<string, number> = {};

  test('Administrators create profile fields of every type, which are published to everybody', async () => {
    const kinds: [string, Record<string, string>][] = [
      ['phone', { name: 'Phone', hint: 'With country', field_type: '1' }],
      ['life', { name: 'Biography', field_type: '2' }],
      ['editor', { name: 'Editor', field_type: '3', field_data: choices }],
      ['birthday', { name: 'Birthday', field_type: '4' }],
      ['site', { name: 'Site', field_type: '5' }],
      ['mentor', { name: 'Mentor', field_type: '6' }],
      ['account', { field_type: '7', field_data: '{"subtype":"github"}' }],
    ];
    for (const [key, form] of kinds) {
      const [event] = await eventsOf(async () => {
        const answer = await make(form);
        expect(answer.body).toMatchObject({ result: 'success' });
        id[key] = answer.body.id;
      });
      expect(event).toEqual({ type: 'custom_profile_fields', op: 'add', fields: await fields() });
    }
    expect(await fields()).toEqual([
      { id: id['phone'], name: 'Phone', hint: 'With country', type: 1, field_data: '', order: 1 },
      expect.objectContaining({ name: 'Biography', type: 2 }),
      expect.objectContaining({ name: 'Editor', type: 3, field_data: choices }),
      expect.objectContaining({ name: 'Birthday', type: 4 }),
      expect.objectContaining({ name: 'Site', type: 5 }),
      expect.objectContaining({ name: 'Mentor', type: 6 }),
      expect.objectContaining({ name: 'GitHub', type: 7, field_data: '{"subtype":"github"}' }),
    ]);
    expect(await people.member.post('/realm/profile_fields', { name: 'x', field_type: '1' })).toMatchObject(
      ADMINS_ONLY,
    );
  });

  test.each([
    [{ name: ' ', field_type: '1' }, 'Name cannot be blank.'],
    [{ name: 'x'.repeat(41), field_type: '1' }, 'name is too long (limit: 40 characters)'],
    [{ name: 'x', hint: 'x'.repeat(81), field_type: '1' }, 'hint is too long (limit: 80 characters)'],
    [{ name: 'x', field_type: '8' }, 'Invalid field type.'],
    [{ name: 'phone', field_type: '1' }, 'A field with that label already exists.'],
    [{ name: 'x', field_type: '3' }, 'Field must have at least one choice.'],
    [{ name: 'x', field_type: '3', field_data: '{"":{}}' }, "'value' cannot be blank."],
    [{ name: 'x', field_type: '3', field_data: '{"a":{"text":"A"}}' }, 'order key is missing from field_data'],
    [{ name: 'x', field_type: '7', field_data: '{"subtype":"mars"}' }, 'Invalid external account type'],
    [
      { name: 'x', field_type: '7', field_data: '{"subtype":"custom"}' },
      'Custom external account must define url pattern',
    ],
    [
      { name: 'x', field_type: '7', field_data: '{"subtype":"custom","url_pattern":"https://x.org/"}' },
      'Malformed URL pattern.',
    ],
  ])('The profile field %j is refused', async (form, msg) => {
    expect(await make(form as Record<string, string>)).toMatchObject(refusal(msg));
  });

  test('Profile values are published, rendered where they are text, and visible to all', async () => {
    const data = [
      { id: id['phone'], value: '*123*' },
      { id: id['editor'], value: 'b' },
      { id: id['birthday'], value: '1990-02-28' },
      { id: id['site'], value: 'https://example.com/a' },
      { id: id['mentor'], value: [people.owner.id] },
    ];
    const events = await eventsOf(() => people.member.patch('/users/me/profile_data', { data: JSON.stringify(data) }));
    const rendered = { value: '*123*', rendered_value: '<p><em>123</em></p>' };
    expect(events[0]).toEqual({
      type: 'realm_user',
      op: 'update',
      person: {
        user_id: people.member.id,
        email: 'member@example.com',
        custom_profile_field: { id: id['phone'], ...rendered },
      },
    });
    expect(events).toHaveLength(5);
    const expected = {
      [id['phone']!]: rendered,
      [id['editor']!]: { value: 'b' },
      [id['birthday']!]: { value: '1990-02-28' },
      [id['site']!]: { value: 'https://example.com/a' },
      [id['mentor']!]: { value: `[${people.owner.id}]` },
    };
    expect((await people.member.get('/users/me')).body.profile_data).toEqual(expected);
    const { members } = (await people.guest.get('/users', { include_custom_profile_fields: 'true' })).body;
    const mine = members.find((each: { user_id: number }) => each.user_id === people.member.id);
    expect(mine.profile_data).toEqual(expected);
  });

  test.each([
    ['phone', 5, 'Phone is not a string'],
    ['phone', 'x'.repeat(51), 'Phone is too long (limit: 50 characters)'],
    ['life', 'x'.repeat(501), 'Biography is too long (limit: 500 characters)'],
    ['editor', 'c', "'c' is not a valid choice for 'Editor'."],
    ['birthday', '1990-02-30', 'Birthday is not a date'],
    ['site', 'javascript:alert(1)', 'Site is not a URL'],
    ['mentor', 'owner', 'Mentor is not a list'],
    ['mentor', [999_999], 'Invalid user ID: 999999'],
  ])('The profile field %s refuses the value %j', async (field, value, msg) => {
    const answer = await people.member.patch('/users/me/profile_data', {
      data: JSON.stringify([{ id: id[field], value }]),
    });
    expect(answer).toMatchObject(refusal(msg));
  });

  test('A profile value cannot name a bot, nor belong to an unknown field', async () => {
    const set = (data: unknown) => people.member.patch('/users/me/profile_data', { data: JSON.stringify(data) });
    expect(await set([{ id: id['mentor'], value: [people.helper.id] }])).toMatchObject(
      refusal(`User with ID ${people.helper.id} is a bot`),
    );
    expect(await set([{ id: 999_999, value: 'x' }])).toMatchObject(refusal('Field id 999999 not found.'));
  });

  test('Users remove their own profile values, and administrators change those of others', async () => {
    await people.member.del('/users/me/profile_data', { data: JSON.stringify([id['editor'], id['site']]) });
    const profile_data = JSON.stringify([
      { id: id['birthday'], value: '' },
      { id: id['life'], value: 'born' },
    ]);
    expect((await people.owner.patch(`/users/${people.member.id}`, { profile_data })).status).toBe(200);
    const { profile_data: mine } = (await people.member.get('/users/me')).body;
    expect(Object.keys(mine).map(Number)).toEqual([id['phone'], id['life'], id['mentor']]);
  });

  test('Administrators reorder, change and remove profile fields together with their values', async () => {
    const order = Object.values(id).reverse();
    expect((await people.owner.patch('/realm/profile_fields', { order: JSON.stringify(order) })).status).toBe(200);
    expect((await fields()).map((field: { id: number }) => field.id)).toEqual(order);
    expect(await people.owner.patch('/realm/profile_fields', { order: '[1]' })).toMatchObject(
      refusal('Invalid order mapping.'),
    );
    const path = `/realm/profile_fields/${id['phone']}`;
    expect((await people.owner.patch(path, { name: 'Telephone', hint: '' })).status).toBe(200);
    const [event] = await eventsOf(() => people.owner.del(path));
    expect(event).toMatchObject({ type: 'custom_profile_fields', op: 'delete' });
    expect(event.fields.map((field: { id: number }) => field.id)).not.toContain(id['phone']);
    expect((await people.member.get('/users/me')).body.profile_data).not.toHaveProperty(String(id['phone']));
    expect(await people.owner.del(path)).toMatchObject(refusal(`Field id ${id['phone']} not found.`));
    expect(await people.member.del(path)).toMatchObject(ADMINS_ONLY);
  });
});
