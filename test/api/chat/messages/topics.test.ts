import { userOf, type TestUser } from '../../../support/chat/chat';
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

const send = async (topic: string, content = 'hello', to = 'test'): Promise<number> => {
  const { body, text } = await owner.post('/messages', { type: 'stream', to, topic, content });
  if (body.result !== 'success') throw new Error(text);
  return body.id;
};
const streamId = async (stream: string): Promise<number> =>
  (await owner.get('/get_stream_id', { stream })).body.stream_id;
const read = async (topic: string): Promise<number[]> => {
  const narrow = [
    ['stream', 'test'],
    ['topic', topic],
  ];
  const { body } = await member.get('/messages', { anchor: 0, num_before: 0, num_after: 1000, narrow });
  return body.messages.map(({ id }: { id: number }) => id);
};

describe('Names of topics', () => {
  test.each([
    ['か', 'が'],
    ['resume', 'résumé'],
    ['a', 'ä'],
    ['ss', 'ß'],
  ])('Topic names that differ in more than case are different topics, such as %s and %s', async (one, other) => {
    const [first, second] = [await send(one), await send(other)];
    expect(await read(one)).toEqual([first]);
    expect(await read(other)).toEqual([second]);
    const id = await streamId('test');
    const mute = { stream_id: id, op: 'add' };
    for (const topic of [one, other]) {
      const { body } = await member.patch('/users/me/subscriptions/muted_topics', { ...mute, topic });
      expect(body.result).toBe('success');
    }
    const before = (await member.post('/register', {})).body.unread_msgs.streams;
    expect(before).toHaveLength(new Set(before.map(({ topic }: { topic: string }) => topic)).size);
    await member.post('/mark_topic_as_read', { stream_id: id, topic_name: one });
    const unread = (await member.post('/register', {})).body.unread_msgs.streams;
    const topics = unread.map(({ topic }: { topic: string }) => topic);
    expect(topics).toContain(other);
    expect(topics).not.toContain(one);
  });

  test('Topic names that differ only in case are one topic', async () => {
    const ids = [await send('Été'), await send('ÉTÉ'), await send('été')];
    expect(await read('éTé')).toEqual(ids);
    const { body } = await member.get(`/users/me/${await streamId('test')}/topics`);
    expect(body.topics.filter(({ name }: { name: string }) => name.toLowerCase() === 'été')).toEqual([
      { name: 'été', max_id: ids[2] },
    ]);
    const mute = { stream: 'test', op: 'add' };
    const muted = await member.patch('/users/me/subscriptions/muted_topics', { ...mute, topic: 'Été' });
    expect(muted.body.result).toBe('success');
    const again = await member.patch('/users/me/subscriptions/muted_topics', { ...mute, topic: 'ÉTÉ' });
    expect(again.body.msg).toBe('Topic already muted');
  });
});

describe('GET /users/me/topics', () => {
  const find = async (by: TestUser, query: string): Promise<{ stream_id: number; name: string; max_id: number }[]> =>
    (await by.get('/users/me/topics', { query })).body.topics;

  test('Topics are found by all words of their names and streams, whatever the case, newest first', async () => {
    const id = await streamId('test');
    const first = await send('Release plan');
    const second = await send('the plan of a release');
    await send('release 100%');
    const found = [
      { stream_id: id, name: 'the plan of a release', max_id: second },
      { stream_id: id, name: 'Release plan', max_id: first },
    ];
    expect(await find(member, 'RELEASE pla')).toEqual(found);
    expect(await find(member, 'plan release test')).toEqual(found);
    expect((await find(member, '0% test')).map(({ name }) => name)).toEqual(['release 100%']);
    expect(await find(member, '  ')).toEqual([]);
    expect(await find(member, 'no such topic')).toEqual([]);
  });

  test('Only topics with messages that the user may read are found', async () => {
    const hidden = { subscriptions: [{ name: 'hidden' }], invite_only: true };
    await owner.post('/users/me/subscriptions', { ...hidden, history_public_to_subscribers: false });
    await send('secret supper', 'x', 'hidden');
    expect(await find(member, 'secret supper')).toEqual([]);
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'hidden' }], principals: [member.email] });
    expect(await find(member, 'secret supper')).toEqual([]);
    const late = await send('secret supper', 'y', 'hidden');
    expect(await find(member, 'secret supper')).toMatchObject([{ max_id: late }]);
    await member.del('/users/me/subscriptions', { subscriptions: ['hidden'] });
    expect(await find(member, 'secret supper')).toEqual([]);
    expect(await find(owner, 'secret supper')).toMatchObject([{ max_id: late }]);
  });
});

describe('POST /streams/{id}/delete_topic', () => {
  const remove = (by: TestUser, id: number, topic_name: string) =>
    by.post(`/streams/${id}/delete_topic`, { topic_name });

  test('Only administrators can delete topics, in streams that they can see', async () => {
    const id = await streamId('test');
    expect((await remove(member, id, 'x')).body.msg).toBe('Must be an organization administrator');
    expect((await remove(owner, 987_654, 'x')).body.msg).toBe('Invalid stream id');
    expect((await remove(owner, id, 'never written to')).body.result).toBe('success');
  });

  test('Deleting a topic deletes all its messages and publishes that to their recipients', async () => {
    const id = await streamId('test');
    const kept = await send('keep this');
    const gone: number[] = [];
    for (let sent = 0; sent < 105; sent += 1) gone.push(await send(sent % 2 === 0 ? 'Drop this' : 'drop this'));
    await member.post('/messages/flags', { messages: gone.slice(0, 3), op: 'add', flag: 'starred' });
    const listen = await member.listen(['delete_message']);
    expect((await remove(owner, id, 'DROP this')).body).toEqual({ result: 'success', msg: '' });
    const heard = await listen();
    expect(heard.map(({ message_id: message }) => message).sort((a, b) => a - b)).toEqual(gone);
    expect(heard[0]).toMatchObject({ message_type: 'stream', stream_id: id, sender: 'owner@example.com' });
    expect(await read('drop this')).toEqual([]);
    expect(await read('keep this')).toEqual([kept]);
    expect((await member.post('/register', {})).body.starred_messages).toEqual([]);
  });

  test('Deleting a topic keeps messages that the administrator never received and cannot see', async () => {
    const { body } = await member.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'closed' }],
      invite_only: true,
    });
    expect(body.result).toBe('success');
    const early = (await member.post('/messages', { type: 'stream', to: 'closed', topic: 'old', content: 'x' })).body
      .id;
    const invited = await member.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'closed' }],
      principals: [owner.email],
    });
    expect(invited.body.subscribed).toEqual({ 'owner@example.com': ['closed'] });
    const late = await send('old', 'y', 'closed');
    expect((await remove(owner, await streamId('closed'), 'old')).body.result).toBe('success');
    expect((await member.get(`/messages/${early}`)).body.raw_content).toBe('x');
    expect((await member.get(`/messages/${late}`)).body.msg).toBe('Invalid message(s)');
  });
});
