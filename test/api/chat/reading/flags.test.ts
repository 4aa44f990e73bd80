import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { talker, type Talker } from '../../../support/chat/room';
import { until } from '../../../support/until';
import { startWorkers } from '../../../support/kernel/workers';

let cluster: Cluster;
let node: TestNode;
let member: Talker;
let other: Talker;
let owner: Talker;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  await startWorkers(cluster, 'chat-read-marks');
  member = await talker(node, 'member@example.com');
  other = await talker(node, 'other@example.com');
  owner = await talker(node, 'owner@example.com');
});
afterAll(() => cluster.close());

const change = (op: string, flag: string, ids: readonly number[], by = member) =>
  by.post('/messages/flags', { messages: JSON.stringify(ids), op, flag });
const error = (msg: string) => ({ status: 400, body: { result: 'error', msg, code: 'BAD_REQUEST' } });
const exceptions = async () =>
  (await node.kernel.mysql('chat_read_exceptions').where({ user_id: member.userId }).orderBy('message_id')) as {
    message_id: number;
    is_read: number;
  }[];

describe('POST /messages/flags', () => {
  test('Flags are added and removed by message id, and returned in a fixed order', async () => {
    const id = await other.toStream('test', 'flags');
    expect(await member.flagsOf(id)).toEqual([]);
    for (const flag of ['collapsed', 'starred', 'read']) {
      expect(await change('add', flag, [id])).toMatchObject({
        status: 200,
        body: { result: 'success', msg: '', messages: [id] },
      });
    }
    expect(await member.flagsOf(id)).toEqual(['read', 'starred', 'collapsed']);
    expect(await other.flagsOf(id)).toEqual([]);
    expect(await member.ids([['is', 'starred']])).toEqual([id]);
    await change('remove', 'starred', [id]);
    await change('remove', 'read', [id]);
    expect(await member.flagsOf(id)).toEqual(['collapsed']);
    expect(await change('add', 'starred', [id, id])).toMatchObject({ body: { messages: [id, id] } });
  });

  test('Unknown flags, flags of the server and flags on hidden messages are refused', async () => {
    const id = await other.toStream('test', 'flags');
    expect(await change('add', 'shiny', [id])).toMatchObject(error("Invalid flag: 'shiny'"));
    for (const flag of ['mentioned', 'wildcard_mentioned', 'has_alert_word', 'historical']) {
      expect(await change('add', flag, [id])).toMatchObject(error(`Flag not editable: '${flag}'`));
    }
    expect(await change('toggle', 'read', [id])).toMatchObject(error("Invalid flag operation: 'toggle'"));
    const secret = await owner.toStream('leadership', 'plans');
    const aside = await owner.toPeople(['other@example.com']);
    for (const flag of ['read', 'starred', 'collapsed']) {
      for (const hidden of [secret, aside, 987_654]) {
        expect(await change('add', flag, [hidden])).toMatchObject(error('Invalid message(s)'));
      }
    }
    // Their own messages are changed, the others ignored.
    expect((await change('add', 'read', [secret, id])).status).toBe(200);
    expect(await member.flagsOf(id)).toEqual(['read']);
    expect(await node.kernel.mysql('chat_flags').where({ message_id: secret })).toEqual([]);
  });

  test('A message is read for its sender if the sending client displays messages', async () => {
    const call = (agent: string) =>
      node.call('/api/v1/messages', {
        headers: { ...other.headers, 'User-Agent': agent },
        form: { type: 'stream', to: 'test', topic: 'own', content: 'x' },
      });
    const { body: seen } = await call('ZulipTerminal/0.5.0 Linux');
    const { body: unseen } = await call('ZulipPython/0.6.3');
    expect(await other.flagsOf(seen.id)).toEqual(['read']);
    expect(await other.flagsOf(unseen.id)).toEqual([]);
    expect(await member.flagsOf(seen.id)).toEqual([]);
    await change('remove', 'read', [seen.id], other);
    expect(await other.flagsOf(seen.id)).toEqual([]);
  });
});

describe('Reading by message id', () => {
  test('Reading by id stores exceptions only for gaps, and none once everything is read', async () => {
    await member.post('/mark_all_as_read');
    await until(exceptions, (rows) => rows.length === 0);
    const ids = [];
    for (let count = 0; count < 6; count += 1) ids.push(await other.toStream('general', `topic ${count % 2}`));
    await change('add', 'read', [ids[1]!, ids[4]!]);
    expect(await member.ids([['is', 'unread']])).toEqual([ids[0], ids[2], ids[3], ids[5]]);
    expect((await exceptions()).map((row) => [row.message_id, row.is_read])).toEqual([
      [ids[1], 1],
      [ids[4], 1],
    ]);
    await change('add', 'read', [ids[0]!]);
    await until(exceptions, (rows) => rows.length === 1);
    await change('add', 'read', ids);
    await until(exceptions, (rows) => rows.length === 0);
    expect(await member.ids([['is', 'unread']])).toEqual([]);
  });

  test('A message marked unread below the read cursor is read again when its topic is marked read', async () => {
    const ids = [await other.toStream('general', 'back'), await other.toStream('general', 'back')];
    await member.post('/mark_all_as_read');
    await change('remove', 'read', [ids[0]!]);
    expect(await member.ids([['is', 'unread']])).toEqual([ids[0]]);
    expect(await member.flagsOf(ids[0]!)).toEqual([]);
    const first = { use_first_unread_anchor: 'true', num_before: '0', num_after: '0' };
    expect((await member.read([], first)).body.anchor).toBe(ids[0]);
    const { stream_id } = (await member.read([['topic', 'back']])).body.messages[0];
    await member.post('/mark_topic_as_read', { stream_id: String(stream_id), topic_name: 'back' });
    expect(await member.ids([['is', 'unread']])).toEqual([]);
    await until(exceptions, (rows) => rows.length === 0);
  });
});
