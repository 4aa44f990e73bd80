import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { userOf, type TestUser } from '../../../support/chat/chat';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let other: TestUser;
let guest: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOG_LEVEL: 'error' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member, other, guest] = (await Promise.all(
    ['owner', 'member', 'other', 'guest'].map((name) => userOf(node, name)),
  )) as [TestUser, TestUser, TestUser, TestUser];
});
afterAll(() => cluster.close());

const bad = { code: 'BAD_REQUEST' };
const error = (msg: string, more: object = {}) => ({ status: 400, body: { result: 'error', msg, ...more } });
const add = async (by: TestUser, name: string, more: object = {}) => {
  await by.post('/users/me/subscriptions', { subscriptions: [{ name }], ...more });
  return (await node.kernel.mysql('chat_streams').where({ name }).first('id')).id as number;
};
const seen = async (by: TestUser, id: number) =>
  (await by.get('/streams')).body.streams.find((stream: { stream_id: number }) => stream.stream_id === id);
const send = (by: TestUser, to: string) => by.post('/messages', { type: 'stream', to, topic: 't', content: 'x' });

describe('PATCH /streams/{id}', () => {
  test('Only administrators can change streams, and only existing ones', async () => {
    const id = await add(member, 'plain');
    expect(await member.patch(`/streams/${id}`, { description: 'mine' })).toMatchObject(
      error('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' }),
    );
    expect(await owner.patch('/streams/999999', { description: 'x' })).toMatchObject(error('Invalid stream id', bad));
  });

  test('A changed description is rendered and published', async () => {
    const id = await add(member, 'described');
    const listen = await other.listen(['stream']);
    expect((await owner.patch(`/streams/${id}`, { description: '"a\\n*b*"' })).body.result).toBe('success');
    expect(await seen(other, id)).toMatchObject({ description: 'a *b*', rendered_description: '<p>a <em>b</em></p>' });
    await owner.patch(`/streams/${id}`, { description: 'as it stands' });
    expect(await listen()).toMatchObject([
      {
        type: 'stream',
        op: 'update',
        property: 'description',
        value: 'a *b*',
        rendered_description: '<p>a <em>b</em></p>',
        stream_id: id,
        name: 'described',
      },
      { value: 'as it stands' },
    ]);
    expect(await owner.patch(`/streams/${id}`, { description: JSON.stringify('x'.repeat(1025)) })).toMatchObject(
      error('description is too long (limit: 1024 characters)', bad),
    );
  });

  test('A renamed stream receives messages under its new name only', async () => {
    const id = await add(member, 'before');
    expect((await send(member, 'before')).status).toBe(200);
    const listen = await other.listen(['stream']);
    expect(await owner.patch(`/streams/${id}`, { new_name: '"before"' })).toMatchObject(
      error('Stream already has that name!'),
    );
    expect(await owner.patch(`/streams/${id}`, { new_name: '"General"' })).toMatchObject(
      error("Stream name 'General' is already taken.", bad),
    );
    expect(await owner.patch(`/streams/${id}`, { new_name: '""' })).toMatchObject(error("Invalid stream name ''"));
    expect(await owner.patch(`/streams/${id}`, { new_name: '5' })).toMatchObject(error('new_name is not a string'));
    await owner.patch(`/streams/${id}`, { new_name: '" after "' });
    await owner.patch(`/streams/${id}`, { new_name: 'AFTER' });
    expect(await listen()).toMatchObject([
      { property: 'email_address', value: '', name: 'before', stream_id: id },
      { property: 'name', value: 'after', name: 'before', stream_id: id },
      { property: 'email_address' },
      { property: 'name', value: 'AFTER', name: 'after' },
    ]);
    expect(await send(member, 'before')).toMatchObject(error("Stream 'before' does not exist"));
    expect((await send(member, 'after')).status).toBe(200);
  });

  test('An announcement-only stream accepts messages from administrators only', async () => {
    const id = await add(member, 'loud');
    expect((await send(member, 'loud')).status).toBe(200);
    await owner.patch(`/streams/${id}`, { is_announcement_only: true });
    expect(await send(member, 'loud')).toMatchObject(
      error('Only organization administrators can send to this stream.', bad),
    );
    expect((await seen(member, id)).is_announcement_only).toBe(true);
  });

  test('A subscribed administrator makes a stream private or public, and users get matching events', async () => {
    const id = await add(member, 'door', { principals: [member.email, owner.email] });
    const [outside, inside] = [await other.listen(['stream']), await member.listen(['stream'])];
    await owner.patch(`/streams/${id}`, { is_private: true });
    expect(await seen(other, id)).toBeUndefined();
    expect(await seen(member, id)).toMatchObject({ invite_only: true, history_public_to_subscribers: false });
    await owner.patch(`/streams/${id}`, { is_private: false });
    expect(await seen(other, id)).toMatchObject({ invite_only: false, history_public_to_subscribers: true });
    expect(await outside()).toMatchObject([
      { op: 'delete', streams: [{ stream_id: id, invite_only: false }] },
      { op: 'create', streams: [{ stream_id: id, invite_only: false }] },
    ]);
    expect(await inside()).toMatchObject([
      { op: 'update', property: 'invite_only', value: true, history_public_to_subscribers: false },
      { op: 'update', property: 'invite_only', value: false, history_public_to_subscribers: true },
    ]);
    const foreign = await add(member, 'foreign', { invite_only: true });
    expect(await owner.patch(`/streams/${foreign}`, { is_private: false })).toMatchObject(error('Invalid stream id'));
    expect((await owner.patch(`/streams/${foreign}`, { description: 'looked after' })).status).toBe(200);
  });
});

describe('DELETE /streams/{id}', () => {
  test('Only administrators can archive streams', async () => {
    const id = await add(member, 'kept');
    expect(await member.del(`/streams/${id}`)).toMatchObject(error('Must be an organization administrator'));
    expect(await owner.del('/streams/999999')).toMatchObject(error('Invalid stream id', bad));
  });

  test('Clients of Zulip 2.1 lose a stream that is archived', async () => {
    const id = await add(member, 'short-lived', { principals: [member.email, guest.email] });
    await owner.post('/default_streams', { stream_name: 'short-lived' });
    await send(member, 'short-lived');
    const [listen, strange] = [await guest.listen(['stream']), await other.listen(['stream', 'default_streams'])];
    expect((await owner.del(`/streams/${id}`)).body.result).toBe('success');
    const told = { type: 'stream', op: 'delete', streams: [expect.objectContaining({ name: 'short-lived' })] };
    expect(await listen()).toEqual([told]);
    expect(await strange()).toMatchObject([{ type: 'default_streams', default_streams: [{ name: 'general' }] }, told]);
    expect(await owner.del(`/streams/${id}`)).toMatchObject(error('Invalid stream id'));
    expect(await seen(member, id)).toBeUndefined();
    expect(await member.get('/get_stream_id', { stream: 'short-lived' })).toMatchObject(
      error("Invalid stream name 'short-lived'"),
    );
    const { body: own } = await member.get('/users/me/subscriptions');
    expect(own.subscriptions.some(({ stream_id }: { stream_id: number }) => stream_id === id)).toBe(false);
    const { body: state } = await member.post('/register', { fetch_event_types: ['stream', 'subscription'] });
    expect(JSON.stringify(state)).not.toContain('short-lived');
    expect(JSON.stringify(state)).toContain('general');
  });
});
