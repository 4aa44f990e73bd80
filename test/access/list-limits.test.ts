/**
 * Lists that are stored or processed one by one have a limit; beyond it the server refuses clearly, in its envelope.
 */
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let headers: Record<string, string>;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  headers = await node.basic('owner@example.com');
});
afterAll(() => cluster.close());

const many = (count: number, item: unknown = 1) => JSON.stringify(Array.from({ length: count }, () => item));
const ids = many(5001);
const streams = (count: number) => JSON.stringify(Array.from({ length: count }, (_, at) => ({ name: `s${at}` })));
const READ = { anchor: '1', num_before: '1', num_after: '1' };

interface Case {
  readonly call: string;
  readonly given: Readonly<Record<string, string>>;
  readonly says: RegExp;
}

const cases: Record<string, Case> = {
  'event types of a queue': {
    call: 'POST /register',
    given: { event_types: many(101, 'message') },
    says: /^event_types: has more than 100 entries$/,
  },
  'event types to fetch': {
    call: 'POST /register',
    given: { fetch_event_types: many(101, 'message') },
    says: /^fetch_event_types: has more than 100 entries$/,
  },
  'long event types': {
    call: 'POST /register',
    given: { event_types: many(1, 'x'.repeat(61)) },
    says: /^event_types\[0\]: is longer than 60 characters$/,
  },
  'terms in the narrow of a queue': {
    call: 'POST /register',
    given: { narrow: many(21, ['is', 'private']) },
    says: /^narrow: has more than 20 terms$/,
  },
  'long operands in the narrow of a queue': {
    call: 'POST /register',
    given: { narrow: JSON.stringify([['stream', 'x'.repeat(501)]]) },
    says: /^narrow\[0\]\[1\]: is longer than 500 characters$/,
  },
  'event types of a poll that registers': {
    call: 'GET /events',
    given: { event_types: many(101, 'message') },
    says: /^event_types: has more than 100 entries$/,
  },
  'terms in a narrow': {
    call: 'GET /messages',
    given: { ...READ, narrow: many(101, ['is', 'private']) },
    says: /more than 100 terms$/,
  },
  'long operands in a narrow': {
    call: 'GET /messages',
    given: { ...READ, narrow: JSON.stringify([['search', 'x'.repeat(1001)]]) },
    says: /an operand of search is longer than 1000$/,
  },
  'people in a narrow': {
    call: 'GET /messages',
    given: { ...READ, narrow: JSON.stringify([['pm-with', Array.from({ length: 1001 }, () => 1)]]) },
    says: /an operand of pm-with is longer than 1000$/,
  },
  'messages to flag': {
    call: 'POST /messages/flags',
    given: { messages: ids, op: 'add', flag: 'read' },
    says: /^messages: has more than 5000 entries$/,
  },
  'members of a group': {
    call: 'POST /user_groups/create',
    given: { name: 'g', description: '', members: ids },
    says: /^members: has more than 5000 entries$/,
  },
  'alert words': {
    call: 'POST /users/me/alert_words',
    given: { alert_words: many(5001, 'w') },
    says: /^alert_words: has more than 5000 entries$/,
  },
  'answers to take back': {
    call: 'DELETE /users/me/profile_data',
    given: { data: ids },
    says: /^data: has more than 5000 entries$/,
  },
  'streams to leave': {
    call: 'DELETE /users/me/subscriptions',
    given: { subscriptions: many(5001, 's') },
    says: /^subscriptions: has more than 5000 entries$/,
  },
  'people to subscribe': {
    call: 'POST /users/me/subscriptions',
    given: { subscriptions: streams(1), principals: ids },
    says: /^principals: has more than 5000 entries$/,
  },
  'pairs of streams and people': {
    call: 'POST /users/me/subscriptions',
    given: { subscriptions: streams(101), principals: many(100) },
    says: /^Too many subscriptions at once \(limit: 10000 pairs of stream and user\)$/,
  },
  'pairs of streams and people to part': {
    call: 'DELETE /users/me/subscriptions',
    given: { subscriptions: many(101, 's'), principals: many(100) },
    says: /^Too many subscriptions at once/,
  },
  recipients: {
    call: 'POST /messages',
    given: { type: 'private', to: many(1001), content: 'x' },
    says: /^Too many recipients \(limit: 1000\)$/,
  },
  'characters of a local id': {
    call: 'POST /messages',
    given: { type: 'stream', to: 'test', topic: 't', content: 'x', queue_id: '1:a', local_id: 'x'.repeat(101) },
    says: /^local_id: is too long \(limit: 100 characters\)$/,
  },
};

test.each(Object.entries(cases))('Too many %s are refused with 400', async (_, { call, given, says }) => {
  const [method, path] = call.split(' ') as [string, string];
  const how = method === 'GET' ? { query: given } : { form: given };
  const { status, body } = await node.call(`/api/v1${path}`, { method, headers, ...how });
  expect([status, body.result]).toEqual([400, 'error']);
  expect(body.msg).toMatch(says);
});

test('A queue with as many event types and terms as are allowed is registered', async () => {
  const form = { event_types: many(100, 'message'), narrow: many(20, ['is', 'private']) };
  expect((await node.call('/api/v1/register', { form, headers })).status).toBe(200);
});
