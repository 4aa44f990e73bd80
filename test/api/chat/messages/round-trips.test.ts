/** The number of MySQL round trips of one GET /messages. A packet of several statements is one round trip. */
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { talker, type Narrow, type Talker } from '../../../support/chat/room';

let cluster: Cluster;
let node: TestNode;
let member: Talker;
let middle: number;

/** More than are read without first checking their sizes. */
const TALK = 15;

beforeAll(async () => {
  // Long, so that only the reads are counted.
  cluster = await openCluster({ RATE_LIMIT: 'off', SWEEP_INTERVAL_MS: '600000' });
  await cluster.seed();
  node = await cluster.node();
  member = await talker(node, 'member@example.com');
  const other = await talker(node, 'other@example.com');
  const name = String((await member.get('/users/me')).body.full_name);
  const starred: number[] = [];
  for (let count = 0; count < TALK; count += 1) {
    starred.push(await other.toStream('test', 'Talk', `@**${name}** zebra ${count}`));
    starred.push(await other.toPeople(['member@example.com']));
  }
  middle = starred[TALK]!;
  starred.push(await other.toStream('test', 'Talk', '/poll Zebras?\nyes\nno'));
  const flag = { op: 'add', messages: JSON.stringify(starred) };
  await member.post('/messages/flags', { ...flag, flag: 'starred' });
  // Exceptions to the cursors: only the last message was read.
  await member.post('/messages/flags', { ...flag, flag: 'read', messages: JSON.stringify(starred.slice(-2)) });
});
afterAll(() => cluster.close());

async function roundTrips(narrow: Narrow, around: Record<string, string>): Promise<number> {
  await node.kernel.outbox.settle();
  let count = 0;
  const add = () => (count += 1);
  node.kernel.mysql.on('query', add);
  const { status } = await member.read(narrow, { num_before: '50', num_after: '50', ...around });
  node.kernel.mysql.off('query', add);
  expect(status).toBe(200);
  return count;
}

/** The user and the organisation's host are sometimes looked up too. */
async function fewest(narrow: Narrow, around: Record<string, string>): Promise<number> {
  const counts: number[] = [];
  for (let times = 0; times < 3; times += 1) counts.push(await roundTrips(narrow, around));
  return Math.min(...counts);
}

const stream = { operator: 'stream', operand: 'test' };

describe('MySQL round trips of GET /messages', () => {
  test.each<[string, () => Narrow]>([
    ['no narrow', () => []],
    ['a stream', () => [stream]],
    ['a stream and a topic', () => [stream, { operator: 'topic', operand: 'Talk' }]],
    ['a conversation', () => [{ operator: 'pm-with', operand: 'other@example.com' }]],
    ['private messages', () => [{ operator: 'is', operand: 'private' }]],
    ['starred messages', () => [{ operator: 'is', operand: 'starred' }]],
    ['mentions', () => [{ operator: 'is', operand: 'mentioned' }]],
    ['unread messages', () => [{ operator: 'is', operand: 'unread' }]],
    ['a sender', () => [{ operator: 'sender', operand: 'other@example.com' }]],
    ['messages near another one', () => [stream, { operator: 'near', operand: String(middle) }]],
    ['one message', () => [{ operator: 'id', operand: String(middle) }]],
    ['a search term', () => [{ operator: 'search', operand: 'zebra' }]],
  ])('GET /messages for %s makes at most four MySQL round trips, whatever the anchor', async (_, narrow) => {
    const anchors: Record<string, string>[] = ['10000000000000000', '0', String(middle)].map((anchor) => ({ anchor }));
    const counts: number[] = [];
    for (const around of [...anchors, { use_first_unread_anchor: 'true' }]) counts.push(await fewest(narrow(), around));
    expect(counts.filter((count) => count > 4)).toEqual([]);
    // The first unread message takes one round trip of its own.
    expect(Math.max(...counts.slice(0, 3))).toBeLessThanOrEqual(3);
  });
});

test('A narrow returns the same messages from the newest, from the oldest and around one of them', async () => {
  const all = await member.ids([stream]);
  expect(all.length).toBeGreaterThanOrEqual(TALK);
  const idsFrom = async (around: Record<string, string>) =>
    (await member.read([stream], around)).body.messages.map(({ id }: { id: number }) => id);
  expect(await idsFrom({ anchor: '0', num_before: '0', num_after: '1000' })).toEqual(all);
  expect(await idsFrom({ anchor: String(all[7]), num_before: '1000', num_after: '1000' })).toEqual(all);
});
