import { demoPeople, refusal, type DemoPeople } from '../../../support/chat/people';
import { publishedBy } from '../../../support/chat/published';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let people: DemoPeople;
let outer: number;
let middle: number;
let inner: number;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  people = await demoPeople(node);
  const { member, other, owner } = people;
  [outer, middle, inner] = [await make('outer', [member]), await make('middle', [owner]), await make('inner', [other])];
});
afterAll(() => cluster.close());

async function make(name: string, members: readonly { id: number }[]): Promise<number> {
  const form = { name, description: name, members: JSON.stringify(members.map(({ id }) => id)) };
  await people.owner.post('/user_groups/create', form);
  const { user_groups: groups } = (await people.owner.get('/user_groups')).body as {
    user_groups: { id: number; name: string }[];
  };
  return groups.find((each) => each.name === name)!.id;
}

const nest = (group: number, form: Record<string, string>, by: 'owner' | 'other' = 'owner') =>
  people[by].post(`/user_groups/${group}/subgroups`, form);
const membersOf = async (group: number, query = {}) =>
  (await people.guest.get(`/user_groups/${group}/members`, query)).body.members as number[];

test('Groups are put into others, and everybody hears of it', async () => {
  const published = await publishedBy(node.kernel, async () => {
    expect((await nest(outer, { add: `[${middle}]` })).status).toBe(200);
    await nest(middle, { add: `[${inner}]` });
  });
  expect(published).toEqual(
    [[outer, middle] as const, [middle, inner] as const].map(([group_id, each]) => ({
      to: 'everyone',
      event: { type: 'user_group', op: 'add_subgroups', group_id, direct_subgroup_ids: [each] },
    })),
  );
  const { owner, member, other } = people;
  expect(new Set(await membersOf(outer))).toEqual(new Set([owner.id, member.id, other.id]));
  expect(await membersOf(outer, { direct_member_only: 'true' })).toEqual([member.id]);
  const { body } = await people.guest.post('/register', { fetch_event_types: '["realm_user_groups"]' });
  expect(body.realm_user_groups.find(({ id }: { id: number }) => id === outer)).toMatchObject({
    direct_subgroup_ids: [middle],
    is_system_group: false,
  });
});

test('A mention of a group reaches the members of the groups in it', async () => {
  const content = '@*outer* please read';
  const { id } = (await people.owner.post('/messages', { type: 'stream', to: 'test', topic: 'groups', content })).body;
  const { body } = await people.other.get('/messages', { anchor: String(id), num_before: '0', num_after: '0' });
  expect(body.messages[0].flags).toContain('mentioned');
});

test('No group is put into itself, by any detour, nor twice, nor by somebody outside of it', async () => {
  expect(await nest(inner, { add: `[${outer}]` })).toMatchObject(
    refusal(`User group ${outer} is already a subgroup of one of the passed subgroups.`),
  );
  expect(await nest(outer, { add: `[${outer}]` })).toMatchObject({ status: 400 });
  expect(await nest(outer, { add: `[${middle}]` })).toMatchObject(
    refusal(`User group ${middle} is already a subgroup of this group.`),
  );
  expect(await nest(outer, { add: '[987654]' })).toMatchObject(refusal('Invalid user group ID: 987654'));
  expect(await nest(outer, { add: `[${inner}]` }, 'other')).toMatchObject(refusal('Insufficient permission'));
  expect(await nest(outer, {})).toMatchObject({ status: 400 });
});

test('Two concurrent changes cannot close a circle together', async () => {
  const [one, two] = [await make('one', []), await make('two', [])];
  const answers = await Promise.all([nest(one, { add: `[${two}]` }), nest(two, { add: `[${one}]` })]);
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400]);
});

test('A group is taken out of another, or vanishes from it with its removal', async () => {
  const [event] = await publishedBy(node.kernel, () => nest(middle, { delete: `[${inner}]` }));
  expect(event!.event).toEqual({
    type: 'user_group',
    op: 'remove_subgroups',
    group_id: middle,
    direct_subgroup_ids: [inner],
  });
  expect(await nest(middle, { delete: `[${inner}]` })).toMatchObject(
    refusal(`User group ${inner} is not a subgroup of this group.`),
  );
  await people.owner.del(`/user_groups/${middle}`);
  expect(await membersOf(outer)).toEqual([people.member.id]);
});
