import { refusal } from '../../../support/chat/people';
import { userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { publishedBy } from '../../../support/chat/published';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member] = [await userOf(node, 'owner'), await userOf(node, 'member')];
  const subscriptions = ['backend', 'frontend', 'design'].map((name) => ({ name }));
  await owner.post('/users/me/subscriptions', { subscriptions });
});
afterAll(() => cluster.close());
afterEach(async () => {
  await node.kernel.mysql('chat_stream_groups').delete();
});

const DONE = { status: 200, body: { result: 'success', msg: '' } };
const make = (group_name: string, stream_names: string[], description = 'For new people') =>
  owner.post('/default_stream_groups/create', { group_name, description, stream_names });
const edit = (id: number, op: string, stream_names: string[]) =>
  owner.patch(`/default_stream_groups/${id}/streams`, { op, stream_names });

interface Group {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly streams: readonly { readonly name: string }[];
}

async function groups(by: TestUser = member): Promise<Group[]> {
  const { body } = await by.post('/register', { fetch_event_types: ['default_stream_groups'] });
  return body.realm_default_stream_groups;
}

const briefly = (list: readonly Group[]) =>
  list.map(({ name, streams }) => [name, streams.map((stream) => stream.name).sort()]);

async function groupOf(name: string, streams: string[]): Promise<number> {
  expect(await make(name, streams)).toMatchObject(DONE);
  return (await groups()).find((each) => each.name === name)!.id;
}

describe('Groups of default streams', () => {
  test('Each change of a default stream group publishes all groups to everybody but guests', async () => {
    const id = await groupOf('newcomers', ['backend', 'Design']);
    const [published] = await publishedBy(node.kernel, () => make('artists', ['design']));
    expect(published).toMatchObject({ to: 'members', event: { type: 'default_stream_groups' } });
    expect(published!.event.default_stream_groups).toEqual(await groups());
    expect(briefly(await groups())).toEqual([
      ['artists', ['design']],
      ['newcomers', ['backend', 'design']],
    ]);
    expect((await groups())[1]).toMatchObject({ id, description: 'For new people' });

    const form = { new_group_name: '"engineers"', new_description: 'They build' };
    expect(await owner.patch(`/default_stream_groups/${id}`, form)).toMatchObject(DONE);
    expect(await edit(id, 'add', ['frontend'])).toMatchObject(DONE);
    expect(await edit(id, 'remove', ['design'])).toMatchObject(DONE);
    expect((await groups())[1]).toMatchObject({ id, name: 'engineers', description: 'They build' });
    expect(briefly(await groups())[1]).toEqual(['engineers', ['backend', 'frontend']]);

    expect(await owner.del(`/default_stream_groups/${id}`)).toMatchObject(DONE);
    expect(briefly(await groups())).toEqual([['artists', ['design']]]);
  });

  test('Guests get no default stream groups at registration', async () => {
    await groupOf('newcomers', ['backend']);
    expect(await groups(await userOf(node, 'guest'))).toEqual([]);
  });

  test('Only administrators can change default stream groups', async () => {
    const id = await groupOf('newcomers', ['backend']);
    const onlyAdmins = refusal('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });
    const form = { group_name: 'x', description: '', stream_names: [] };
    expect(await member.post('/default_stream_groups/create', form)).toMatchObject(onlyAdmins);
    expect(await member.patch(`/default_stream_groups/${id}`, { new_description: 'x' })).toMatchObject(onlyAdmins);
    expect(await member.patch(`/default_stream_groups/${id}/streams`, { op: 'add', stream_names: [] })).toMatchObject(
      onlyAdmins,
    );
    expect(await member.del(`/default_stream_groups/${id}`)).toMatchObject(onlyAdmins);
  });

  test('A default stream group needs a valid and unique name', async () => {
    const id = await groupOf('newcomers', []);
    await groupOf('others', []);
    expect(await make(' ', [])).toMatchObject(refusal("Invalid default stream group name ' '"));
    expect(await make('x'.repeat(61), [])).toMatchObject(
      refusal('Default stream group name too long (limit: 60 characters)'),
    );
    expect(await make('newcomers', [])).toMatchObject(refusal("Default stream group 'newcomers' already exists"));
    const rename = (new_group_name: string) => owner.patch(`/default_stream_groups/${id}`, { new_group_name });
    expect(await rename('newcomers')).toMatchObject(refusal("This default stream group is already named 'newcomers'"));
    expect(await rename('others')).toMatchObject(refusal("Default stream group 'others' already exists"));
    expect(await owner.patch(`/default_stream_groups/${id}`, {})).toMatchObject(
      refusal('You must pass "new_description" or "new_group_name".'),
    );
    expect(await rename('Newcomers')).toMatchObject(DONE);
  });

  test('A default stream group refuses default, private and unknown streams', async () => {
    const id = await groupOf('newcomers', ['backend']);
    expect(await make('more', ['general'])).toMatchObject(
      refusal("'general' is a default stream and cannot be added to 'more'"),
    );
    expect(await edit(id, 'add', ['leadership'])).toMatchObject(refusal('Private streams cannot be made default.'));
    expect(await edit(id, 'add', ['backend'])).toMatchObject(
      refusal("Stream 'backend' is already present in default stream group 'newcomers'"),
    );
    expect(await edit(id, 'remove', ['design'])).toMatchObject(
      refusal("Stream 'design' is not present in default stream group 'newcomers'"),
    );
    expect(await edit(id, 'add', ['nowhere'])).toMatchObject(refusal("Invalid stream name 'nowhere'"));
    expect(await edit(id, 'turn', ['design'])).toMatchObject(
      refusal('Invalid value for "op". Specify one of "add" or "remove".'),
    );
    expect(await edit(999_999, 'add', ['design'])).toMatchObject(
      refusal("Default stream group with id '999999' does not exist."),
    );
    expect(
      await edit(
        id,
        'add',
        Array.from({ length: 101 }, (_, at) => `s${at}`),
      ),
    ).toMatchObject(refusal('A default stream group has at most 100 streams'));
  });

  test('A stream that becomes private or is deactivated leaves its group, and this is published', async () => {
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'closing' }, { name: 'ending' }] });
    await groupOf('newcomers', ['backend', 'closing', 'ending']);
    const idOf = async (stream: string) => (await owner.get('/get_stream_id', { stream })).body.stream_id;
    const about = async (work: () => Promise<unknown>) =>
      (await publishedBy(node.kernel, work)).filter(({ event }) => event.type === 'default_stream_groups');
    const closing = await idOf('closing');
    const closed = await about(() => owner.patch(`/streams/${closing}`, { is_private: true }));
    expect(briefly(closed[0]!.event.default_stream_groups)).toEqual([['newcomers', ['backend', 'ending']]]);
    const ending = await idOf('ending');
    const ended = await about(() => owner.del(`/streams/${ending}`));
    expect(briefly(ended[0]!.event.default_stream_groups)).toEqual([['newcomers', ['backend']]]);
  });
});

describe('New users', () => {
  const join = (email: string, default_stream_groups: string[]) =>
    owner.post('/users', {
      email,
      password: 'plain words of nobody',
      full_name: 'Somebody New',
      default_stream_groups,
    });

  test('A new user gets the default streams and those of the chosen groups', async () => {
    await groupOf('newcomers', ['backend', 'design']);
    await groupOf('others', ['frontend']);
    expect(await join('ada@example.com', ['newcomers'])).toMatchObject(DONE);
    const ada = await userOf(node, 'ada');
    const { subscriptions } = (await ada.get('/users/me/subscriptions')).body;
    expect(subscriptions.map(({ name }: { name: string }) => name).sort()).toEqual(['backend', 'design', 'general']);
  });

  test('A new user with an unknown default stream group is not created', async () => {
    expect(await join('bob@example.com', ['nobody'])).toMatchObject(refusal('Invalid default stream group nobody'));
    expect((await owner.get('/users')).text).not.toContain('bob@example.com');
  });
});
