import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { talker, type Talker } from '../../../support/chat/room';

let cluster: Cluster;
let node: TestNode;
let member: Talker;
let other: Talker;
let owner: Talker;
let general: number;
const ids: Record<string, number> = {};

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  const of = (name: string) => talker(node, `${name}@example.com`);
  [member, other, owner] = [await of('member'), await of('other'), await of('owner')];
  general = (await node.kernel.mysql('chat_streams').where({ name: 'general' }).first('id')).id;
  ids['open'] = await other.toStream('general', 'printer');
  ids['done'] = await owner.toStream('general', '\u2714 printer');
  ids['lunch'] = await member.toStream('test', 'lunch');
  ids['elsewhere'] = await owner.toStream('test', '\u2714 lunch');
  ids['pair'] = await other.toPeople(['member@example.com']);
  ids['group'] = await owner.toPeople(['member@example.com', 'other@example.com']);
  ids['mine'] = await member.toPeople(['owner@example.com']);
  ids['secret'] = await owner.toPeople(['other@example.com']);
  await other.post(`/messages/${ids['open']}/reactions`, { emoji_name: 'smile' });
  await owner.post(`/messages/${ids['open']}/reactions`, { emoji_name: 'tada' });
  await other.post(`/messages/${ids['group']}/reactions`, { emoji_name: 'smile' });
  const policy = (stream: number, topic: string, value: string) =>
    member.post('/user_topics', { stream_id: String(stream), topic, visibility_policy: value });
  await policy(general, 'printer', '3');
  await policy((await node.kernel.mysql('chat_streams').where({ name: 'test' }).first('id')).id, 'lunch', '1');
});
afterAll(() => cluster.close());

const named = (found: readonly number[]) => found.map((id) => Object.keys(ids).find((name) => ids[name] === id));
const term = (operator: string, operand: unknown, negated = false) => ({ operator, operand, negated });
const look = async (...narrow: readonly unknown[]) => named(await member.ids(narrow));
const all = ['open', 'done', 'lunch', 'elsewhere', 'pair', 'group', 'mine'];
const but = (...names: string[]) => all.filter((name) => !names.includes(name));

describe("Operators of today's Zulip", () => {
  test('channel, channels and dm are other names of stream, streams and pm-with', async () => {
    expect(await look(term('channel', 'general'))).toEqual(['open', 'done']);
    expect(await look(term('channel', general), term('topic', 'printer'))).toEqual(['open']);
    expect(await look(term('channels', 'public'))).toEqual(['open', 'done', 'lunch', 'elsewhere']);
    expect(await look(term('channel', 'general', true))).toEqual(but('open', 'done'));
    expect(await look(term('dm', [member.userId, other.userId]))).toEqual(['pair']);
    expect(await look(term('dm', 'other@example.com,owner@example.com'))).toEqual(['group']);
    expect(await look(term('is', 'dm'))).toEqual(['pair', 'group', 'mine']);
    expect(await look(term('is', 'dm', true))).toEqual(but('pair', 'group', 'mine'));
  });

  test('dm-including finds all private conversations with a person', async () => {
    expect(await look(term('dm-including', 'owner@example.com'))).toEqual(['group', 'mine']);
    expect(await look(term('dm-including', other.userId))).toEqual(['pair', 'group']);
    expect(await look(term('dm-including', other.userId, true))).toEqual(but('pair', 'group'));
    const { status, body } = await member.read([term('dm-including', 'nobody@example.com')]);
    expect([status, body.code]).toEqual([400, 'BAD_NARROW']);
  });

  test('date in a narrow leaves nothing out: it says where a client begins', async () => {
    expect(await look(term('date', '2026-11-18'))).toEqual(all);
  });

  test('sender:me finds what one has written', async () => {
    expect(await look(term('sender', 'me'))).toEqual(['lunch', 'mine']);
    expect(await look(term('sender', 'me', true))).toEqual(but('lunch', 'mine'));
  });

  test('is:resolved finds topics that are marked as done', async () => {
    expect(await look(term('is', 'resolved'))).toEqual(['done', 'elsewhere']);
    expect(await look(term('is', 'resolved', true))).toEqual(but('done', 'elsewhere'));
    expect(await look(term('is', 'resolved'), term('channel', 'general'))).toEqual(['done']);
  });

  test('has:reaction finds each message once, whoever reacted', async () => {
    expect(await look(term('has', 'reaction'))).toEqual(['open', 'group']);
    expect(await look(term('has', 'reaction', true))).toEqual(but('open', 'group'));
    expect(await look(term('has', 'reaction'), term('sender', 'owner@example.com'))).toEqual(['group']);
  });

  test('is:followed and is:muted go by the policies of topics', async () => {
    expect(await look(term('is', 'followed'))).toEqual(['open']);
    expect(await look(term('is', 'followed', true))).toEqual(but('open'));
    expect(await look(term('is', 'muted'))).toEqual(['lunch']);
    expect(await look(term('is', 'muted', true))).toEqual(but('lunch'));
  });

  test('with follows a message to the topic that it was moved to', async () => {
    const id = await owner.toStream('general', 'old name');
    const narrow = [term('channel', general), term('topic', 'old name'), term('with', id)];
    await node.call(`/api/v1/messages/${id}`, { method: 'PATCH', headers: owner.headers, form: { topic: 'new name' } });
    expect(await member.ids(narrow)).toContain(id);
    expect(await member.ids(narrow.slice(0, 2))).toEqual([]);
    expect(await member.ids([term('with', ids['pair'])])).toEqual([ids['pair']]);
    expect(await member.ids([term('with', ids['group']), term('sender', 'me')])).toEqual([]);
    expect(await look(term('channel', general), term('topic', 'printer'), term('with', ids['secret']))).toEqual([
      'open',
    ]);
    for (const wrong of [term('with', 'x'), term('with', id, true)]) {
      expect((await member.read([wrong])).body.code).toBe('BAD_NARROW');
    }
  });

  test('GET /messages/matches_narrow knows them too', async () => {
    const { body } = await member.get('/messages/matches_narrow', {
      msg_ids: JSON.stringify(Object.values(ids)),
      narrow: JSON.stringify([term('has', 'reaction'), term('is', 'resolved', true)]),
    });
    expect(named(Object.keys(body.messages).map(Number))).toEqual(['open', 'group']);
  });
});
