/** Events that carry a whole list are correct, however many concurrent requests change the list. */
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { userOf, type TestUser } from '../../../support/chat/chat';

let cluster: Cluster;
let nodes: TestNode[];
let owners: TestUser[];

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  nodes = [await cluster.node(), await cluster.node()];
  owners = await Promise.all(nodes.map((node) => userOf(node, 'owner')));
});
afterAll(() => cluster.close());

const COUNT = 12;
const [first, second] = [() => owners[0]!, () => owners[1]!];
const everySecond = (at: number) => (at % 2 === 0 ? first() : second());

type Changed = Promise<{ status: number }>;

const lists: [string, string, string, (by: TestUser, at: number) => Changed][] = [
  [
    'alert words',
    'alert_words',
    'alert_words',
    (by, at) => by.post('/users/me/alert_words', { alert_words: [`w${at}`] }),
  ],
  [
    'muted topics',
    'muted_topics',
    'muted_topics',
    (by, at) => by.patch('/users/me/subscriptions/muted_topics', { stream: 'test', topic: `t${at}`, op: 'add' }),
  ],
  [
    'linkifiers',
    'realm_filters',
    'realm_filters',
    (by, at) =>
      by.post('/realm/filters', { pattern: `#l${at}-(?P<id>[0-9]+)`, url_format_string: 'https://x.example/%(id)s' }),
  ],
  [
    'profile fields',
    'custom_profile_fields',
    'fields',
    (by, at) => by.post('/realm/profile_fields', { name: `field ${at}`, field_type: 1 }),
  ],
  [
    'default streams',
    'default_streams',
    'default_streams',
    (by, at) => by.post('/default_streams', { stream_name: `d${at}` }),
  ],
  [
    'groups of default streams',
    'default_stream_groups',
    'default_stream_groups',
    (by, at) =>
      by.post('/default_stream_groups/create', { group_name: `g${at}`, description: '', stream_names: ['test'] }),
  ],
];

test.each(lists)(
  'The last event about %s holds the result of all concurrent changes',
  async (_, type, field, change) => {
    if (type === 'default_streams') {
      const names = Array.from({ length: COUNT }, (__, at) => ({ name: `d${at}` }));
      expect((await first().post('/users/me/subscriptions', { subscriptions: names })).status).toBe(200);
    }
    const heard = await first().listen([type]);
    const changes = Array.from({ length: COUNT }, (__, at) => change(everySecond(at), at));
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(changes.map(() => 200));
    const events = (await heard()).filter((event) => event['type'] === type);
    const sizes = events.map((event) => (event[field] as unknown[]).length);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(sizes.at(-1)! - sizes[0]!).toBe(COUNT - 1);
  },
);
