// Folders of streams, which today's Zulip calls channel folders.
import { refusal } from '../../../support/chat/people';
import { userOf, type TestUser } from '../../../support/chat/chat';
import { publishedBy } from '../../../support/chat/published';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let guest: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member, guest] = (await Promise.all(['owner', 'member', 'guest'].map((name) => userOf(node, name)))) as [
    TestUser,
    TestUser,
    TestUser,
  ];
});
afterAll(() => cluster.close());
afterEach(async () => {
  await node.kernel.mysql('chat_streams').update({ folder_id: null });
  await node.kernel.mysql('chat_stream_folders').delete();
});

const DONE = { status: 200, body: { result: 'success', msg: '' } };
const ADMINS_ONLY = refusal('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });
const SUBSCRIPTIONS = '/users/me/subscriptions';

const make = (name: string, description = '') => owner.post('/channel_folders/create', { name, description });
async function made(name: string, description = ''): Promise<number> {
  const { body } = await make(name, description);
  expect(body).toMatchObject({ result: 'success', channel_folder_id: expect.any(Number) });
  return body.channel_folder_id;
}
const change = (id: number, changes: Readonly<Record<string, unknown>>) =>
  owner.patch(`/channel_folders/${id}`, changes);
const reorder = (order: readonly number[]) => owner.patch('/channel_folders', { order });

interface Folder {
  readonly id: number;
  readonly name: string;
}
const list = async (by: TestUser = member, query: Readonly<Record<string, unknown>> = {}): Promise<Folder[]> =>
  (await by.get('/channel_folders', { ...query })).body.channel_folders;
const names = async (by?: TestUser, query?: Readonly<Record<string, unknown>>) =>
  (await list(by, query)).map(({ name }) => name);
const streamId = async (stream: string): Promise<number> =>
  (await owner.get('/get_stream_id', { stream })).body.stream_id;
const put = async (stream: string, folder_id: number | null) =>
  owner.patch(`/streams/${await streamId(stream)}`, { folder_id });
const folderOf = async (by: TestUser, name: string) => {
  const { body } = await by.get('/streams');
  return body.streams.find((each: { name: string }) => each.name === name).folder_id;
};

describe('Folders of streams', () => {
  test('A new folder is the last one, and everybody gets it, guests too', async () => {
    const first = await made('Products');
    const [published] = await publishedBy(node.kernel, () => make('  Teams ', 'Who *does* it'));
    const [, folder] = await list();
    expect(folder).toEqual({
      id: expect.any(Number),
      name: 'Teams',
      description: 'Who *does* it',
      rendered_description: '<p>Who <em>does</em> it</p>',
      order: 1,
      date_created: expect.any(Number),
      creator_id: owner.id,
      is_archived: false,
    });
    expect(published).toEqual({
      to: 'everyone',
      event: { type: 'channel_folder', op: 'add', channel_folder: folder },
    });
    expect((await list(guest)).map(({ id }) => id)).toEqual([first, folder!.id]);
    const { body } = await guest.post('/register', { fetch_event_types: ['channel_folders'] });
    expect(body).toMatchObject({
      channel_folders: await list(),
      max_channel_folder_name_length: 60,
      max_channel_folder_description_length: 1024,
    });
  });

  test('A folder is renamed, described and ordered, and only what changed is published', async () => {
    const [one, two, three] = [await made('one', 'first'), await made('two'), await made('three')];
    const [renamed] = await publishedBy(node.kernel, () => change(one, { name: 'Uno', description: 'first' }));
    expect(renamed!.event).toEqual({
      type: 'channel_folder',
      op: 'update',
      channel_folder_id: one,
      data: { name: 'Uno' },
    });
    const [described] = await publishedBy(node.kernel, () => change(one, { description: 'now' }));
    expect(described!.event.data).toEqual({ description: 'now', rendered_description: '<p>now</p>' });
    expect(await publishedBy(node.kernel, () => change(one, { name: 'Uno' }))).toEqual([]);
    const [ordered] = await publishedBy(node.kernel, () => reorder([three, one, two]));
    expect(ordered!.event).toEqual({ type: 'channel_folder', op: 'reorder', order: [three, one, two] });
    expect(await list()).toMatchObject([
      { name: 'three', order: 0 },
      { name: 'Uno', order: 1 },
      { name: 'two', order: 2 },
    ]);
  });

  test('An order of folders names each of them once, archived ones too', async () => {
    const [one, two] = [await made('one'), await made('two')];
    expect(await change(two, { is_archived: true })).toMatchObject(DONE);
    for (const order of [[one], [one, one], [one, two, 987_654_321], []])
      expect(await reorder(order)).toMatchObject(refusal('Invalid order mapping.'));
    expect(await reorder([two, one])).toMatchObject(DONE);
    expect(await names(member, { include_archived: true })).toEqual(['two', 'one']);
  });

  test('A folder needs a name of its own, whatever the case, of at most 60 characters', async () => {
    const id = await made('Teams');
    await made('Others');
    expect(await make(' ')).toMatchObject(refusal("Channel folder name can't be empty."));
    expect(await make('tEAMS')).toMatchObject(refusal('Channel folder name already in use'));
    expect(await make('x'.repeat(61))).toMatchObject(refusal('name is too long (limit: 60 characters)'));
    expect(await make('x', 'x'.repeat(1025))).toMatchObject(
      refusal('description is too long (limit: 1024 characters)'),
    );
    expect(await make('a\nb')).toMatchObject(refusal('Invalid character in channel folder name, at position 2.'));
    expect(await change(id, { name: 'others' })).toMatchObject(refusal('Channel folder name already in use'));
    expect(await change(id, { name: 'TEAMS' })).toMatchObject(DONE);
    expect(await change(987_654_321, { name: 'x' })).toMatchObject(refusal('Invalid channel folder ID'));
    expect(await names()).toEqual(['TEAMS', 'Others']);
  });

  test('Only administrators create, change and order folders', async () => {
    const id = await made('Teams');
    expect(await member.post('/channel_folders/create', { name: 'Mine', description: '' })).toMatchObject(ADMINS_ONLY);
    expect(await member.patch(`/channel_folders/${id}`, { name: 'Mine' })).toMatchObject(ADMINS_ONLY);
    expect(await member.patch('/channel_folders', { order: [id] })).toMatchObject(ADMINS_ONLY);
  });

  test('An organisation has at most 200 folders', async () => {
    const { realm_id } = await node.kernel.mysql('chat_users').where({ id: owner.id }).first('realm_id');
    const common = { realm_id, rendered_description: '', created_at: 0 };
    const rows = Array.from({ length: 200 }, (_, place) => ({ ...common, place, name: `f${place}` }));
    await node.kernel.mysql('chat_stream_folders').insert(rows);
    expect(await make('one more')).toMatchObject(refusal('An organization has at most 200 channel folders'));
  });
});

describe('Streams in folders', () => {
  test('An administrator puts a stream into a folder and takes it out, and who sees the stream hears of it', async () => {
    const id = await made('Teams');
    const [published] = await publishedBy(node.kernel, () => put('general', id));
    const changed = { type: 'stream', op: 'update', property: 'folder_id', name: 'general' };
    expect(published!.event).toEqual({ ...changed, stream_id: await streamId('general'), value: id });
    expect(await folderOf(guest, 'general')).toBe(id);
    expect(await publishedBy(node.kernel, () => put('general', id))).toEqual([]);
    const [out] = await publishedBy(node.kernel, () => put('general', null));
    expect(out!.event).toMatchObject({ ...changed, value: null });
    expect(await folderOf(member, 'general')).toBeNull();
    const path = `/streams/${await streamId('general')}`;
    expect(await member.patch(path, { folder_id: id })).toMatchObject(ADMINS_ONLY);
    expect(await owner.patch(path, { folder_id: 987_654_321 })).toMatchObject(refusal('Invalid channel folder ID'));
  });

  test('A member who creates a stream chooses its folder', async () => {
    const folder_id = await made('Teams');
    const create = (name: string, more: object) => member.post(SUBSCRIPTIONS, { subscriptions: [{ name }], ...more });
    expect(await create('crew', { folder_id })).toMatchObject(DONE);
    expect(await folderOf(member, 'crew')).toBe(folder_id);
    expect(await create('crew', { folder_id: null })).toMatchObject(DONE);
    expect(await folderOf(member, 'crew')).toBe(folder_id);
    expect(await create('lost', { folder_id: 987_654_321 })).toMatchObject(refusal('Invalid channel folder ID'));
    const { body } = await member.post('/register', { fetch_event_types: ['subscription'] });
    expect(body.subscriptions.find(({ name }: { name: string }) => name === 'crew')).toMatchObject({ folder_id });
  });

  test('A folder is archived only when no stream is in it, archived ones neither, and takes none until it is back', async () => {
    const id = await made('Teams');
    const inUse = refusal('You need to remove all the channels from this folder to archive it.');
    await owner.post(SUBSCRIPTIONS, { subscriptions: [{ name: 'closing' }], folder_id: id });
    const closing = await streamId('closing');
    expect(await change(id, { is_archived: true })).toMatchObject(inUse);
    expect(await owner.del(`/streams/${closing}`)).toMatchObject(DONE);
    expect(await change(id, { is_archived: true })).toMatchObject(inUse);
    expect(await owner.patch(`/streams/${closing}`, { folder_id: null })).toMatchObject(DONE);
    const [archived] = await publishedBy(node.kernel, () => change(id, { is_archived: true }));
    expect(archived!.event).toMatchObject({ op: 'update', channel_folder_id: id, data: { is_archived: true } });
    expect(await names()).toEqual([]);
    expect(await names(member, { include_archived: true })).toEqual(['Teams']);
    expect(await make('teams')).toMatchObject(refusal('Channel folder name already in use'));
    expect(await put('general', id)).toMatchObject(refusal('Invalid channel folder ID'));
    expect(await change(id, { is_archived: false })).toMatchObject(DONE);
    expect(await put('general', id)).toMatchObject(DONE);
  });
});

describe('Recently active streams', () => {
  const isActive = async (name: string) => {
    const [{ body: all }, { body: own }] = await Promise.all([member.get('/streams'), member.get(SUBSCRIPTIONS)]);
    const find = (streams: { name: string; is_recently_active: boolean }[]) =>
      streams.find((each) => each.name === name)!.is_recently_active;
    expect(find(all.streams)).toBe(find(own.subscriptions));
    return find(own.subscriptions);
  };

  test('A stream is recently active while it is new or has had a message in the last 180 days', async () => {
    await member.post(SUBSCRIPTIONS, { subscriptions: [{ name: 'attic' }] });
    const id = await streamId('attic');
    const { mysql } = node.kernel;
    const age = (days: number) => Math.floor(Date.now() / 1000) - days * 86_400;
    await mysql('chat_messages')
      .where({ recipient_id: id })
      .update({ sent_at: age(400) });
    expect(await isActive('attic')).toBe(true);
    await mysql('chat_streams')
      .where({ id })
      .update({ created_at: mysql.raw('NOW(3) - INTERVAL 181 DAY') });
    expect(await isActive('attic')).toBe(false);
    await member.post('/messages', { type: 'stream', to: 'attic', topic: 'dust', content: 'anybody here?' });
    expect(await isActive('attic')).toBe(true);
    await mysql('chat_messages')
      .where({ recipient_id: id })
      .update({ sent_at: age(179) });
    expect(await isActive('attic')).toBe(true);
    await mysql('chat_messages')
      .where({ recipient_id: id })
      .update({ sent_at: age(181) });
    expect(await isActive('attic')).toBe(false);
  });
});
