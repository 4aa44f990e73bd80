import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { demoPeople, refusal, type Caller, type DemoPeople } from '../../../support/chat/people';

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

const send = async (by: Caller, form: Record<string, string>): Promise<number> =>
  (await by.post('/messages', { content: 'hello', ...form })).body.id;
const toTest = (by: Caller, topic = 'receipts') => send(by, { type: 'stream', to: 'test', topic });
const readers = async (id: number, by = people.owner): Promise<unknown> =>
  (await by.get(`/messages/${id}/read_receipts`)).body.user_ids;
const mark = (by: Caller, id: number, op = 'add') =>
  by.post('/messages/flags', { messages: JSON.stringify([id]), op, flag: 'read' });
const streamId = async (name: string) =>
  String((await node.kernel.mysql('chat_streams').where({ name }).first('id')).id);

describe('Read receipts', () => {
  test('Those who have read a message are listed, without its sender', async () => {
    const { owner, member, other } = people;
    const id = await toTest(owner);
    expect(await readers(id)).toEqual([]);
    await mark(member, id);
    expect(await readers(id)).toEqual([member.id]);
    await mark(other, id);
    await mark(owner, id);
    expect(await readers(id, other)).toEqual([member.id, other.id].sort((a, b) => a - b));
    await mark(member, id, 'remove');
    expect(await readers(id)).toEqual([other.id]);
  });

  test('A topic, a stream or everything that is marked as read counts, and later messages do not', async () => {
    const { owner, member } = people;
    const id = await toTest(owner, 'first');
    await member.post('/mark_topic_as_read', { stream_id: await streamId('test'), topic_name: 'first' });
    expect(await readers(id)).toEqual([member.id]);
    const second = await toTest(owner, 'first');
    expect(await readers(second)).toEqual([]);
    await member.post('/mark_stream_as_read', { stream_id: await streamId('test') });
    expect(await readers(second)).toEqual([member.id]);
    const third = await toTest(owner, 'first');
    expect(await readers(third)).toEqual([]);
    await member.post('/mark_all_as_read');
    expect(await readers(third)).toEqual([member.id]);
  });

  test('Those who received nothing, having joined later, are not listed', async () => {
    const { owner, member } = people;
    const principals = (...who: Caller[]) => JSON.stringify(who.map(({ email }) => email));
    const subscribe = (...who: Caller[]) =>
      owner.post('/users/me/subscriptions', {
        subscriptions: JSON.stringify([{ name: 'late' }]),
        principals: principals(...who),
      });
    await subscribe(owner);
    const id = await send(owner, { type: 'stream', to: 'late', topic: 'before' });
    await subscribe(member);
    await member.post('/mark_all_as_read');
    expect(await readers(id)).toEqual([]);
    const next = await send(owner, { type: 'stream', to: 'late', topic: 'after' });
    await mark(member, next);
    expect(await readers(next)).toEqual([member.id]);
  });

  test('Private messages have receipts too, and only for whoever may see the message', async () => {
    const { owner, member, other } = people;
    const id = await send(owner, { type: 'private', to: JSON.stringify([member.email]) });
    await mark(member, id);
    expect(await readers(id)).toEqual([member.id]);
    expect(await other.get(`/messages/${id}/read_receipts`)).toMatchObject(refusal('Invalid message(s)'));
    expect(await other.get('/messages/99999/read_receipts')).toMatchObject(refusal('Invalid message(s)'));
  });

  test('Whoever does not want it is not named, from then on and before', async () => {
    const { owner, member } = people;
    const id = await toTest(owner);
    await mark(member, id);
    const set = (value: string) => member.patch('/settings', { send_read_receipts: value });
    const registered = async () =>
      (await member.post('/register', { fetch_event_types: '["realm","realm_user"]' })).body as Record<string, unknown>;
    expect((await set('false')).body.result).toBe('success');
    expect(await readers(id)).toEqual([]);
    expect(await registered()).toMatchObject({ realm_enable_read_receipts: true, send_read_receipts: false });
    await set('true');
    expect(await readers(id)).toEqual([member.id]);
  });
});
