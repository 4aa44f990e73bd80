// A row that somebody holds for long takes only a share of a node's connections: others are served meanwhile.
import { closeMysql, openMysql, type Database } from '../../../src/kernel/mysql/pool';
import { beginTransaction } from '../../../src/kernel/mysql/transaction';
import { userOf, type TestUser } from '../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { untilSomebodyWaits } from '../../support/kernel/lock-waits';
import { openPeople, type People } from '../telephony/people';

let cluster: Cluster;
let node: TestNode;
let holder: Database;
let [locked, other]: TestUser[] = [];
let people: People;

beforeAll(async () => {
  // As in production, where a request that finds no connection in time is refused.
  cluster = await openCluster({ MYSQL_CONNECTIONS: '10', MYSQL_ACQUIRE_MS: '5000' });
  await cluster.seed();
  node = await cluster.node();
  people = await openPeople(node);
  [locked, other] = [await userOf(node, 'member'), await userOf(node, 'owner')];
  // A process that holds a row and is not ended for it.
  holder = openMysql({ ...cluster.config(), mysqlConnections: 2, mysqlDeadlineMs: 600_000 });
});
afterAll(async () => {
  await closeMysql(holder);
  await cluster.close();
});

const send = (content: string) => other!.post('/messages', { type: 'stream', to: 'test', topic: 'locks', content });
const readContacts = () => people.owner('GET', '/system/company/contacts');

/** Requests while the row is locked, and what came of them before it was let go. */
async function whileLocked(
  table: string,
  id: unknown,
  waiters: () => Promise<{ status: number }>[],
): Promise<number[]> {
  const trx = await beginTransaction(holder);
  await trx(table).where({ id }).forUpdate().first('id');
  const waiting = waiters();
  await untilSomebodyWaits(holder);
  const statuses: number[] = [];
  for (let i = 0; i < 15; i++) {
    const answers = await Promise.all([send(`Message ${i}`), readContacts(), other!.get('/users/me')]);
    statuses.push(...answers.map(({ status }) => status));
  }
  await trx.rollback();
  // The waiters were served after that, or refused because they had waited for too long.
  for (const { status } of await Promise.all(waiting)) expect([200, 503]).toContain(status);
  return statuses;
}

test('While 45 requests wait for the row of one user, sends of others and reads of telephony are served', async () => {
  const { body } = await send('One to star');
  const star = () => locked!.post('/messages/flags', { messages: [body.id], op: 'add', flag: 'starred' });
  const statuses = await whileLocked('chat_users', locked!.id, () => Array.from({ length: 45 }, star));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await star()).status).toBe(200);
});

test('While 45 requests wait for the row of a company, chat and reads of telephony are served', async () => {
  const { company_id: id } = (await node.kernel
    .mysql('tel_contacts')
    .where({ id: people.ids.owner })
    .first('company_id')) as {
    company_id: string;
  };
  const rename = () => people.owner('PATCH', '/company', { name: 'Example Telecom' });
  const statuses = await whileLocked('tel_companies', id, () => Array.from({ length: 45 }, rename));
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('All changes take turns but sending, what waits for a PBX or carrier, and what has a gate of its own', () => {
  const mounts = node.open.flatMap(({ product, parts }) => [product.mount?.(parts) ?? []].flat());
  const free = mounts.flatMap(({ prefix, routes }) =>
    routes.filter((route) => route.waitsElsewhere).map(({ method, path }) => `${method} ${prefix}${path}`),
  );
  const instance = '/instances/:instance_uuid';
  const extension = `${instance}/extensions/:extension_id`;
  const ordered = `${instance}/bulks/extensions/:extension_id`;
  expect([...new Set(free)].toSorted()).toEqual([
    `delete ${ordered}`,
    `delete ${instance}/calls/:call_id/recording`,
    `delete ${extension}/messages/:voicemail_id`,
    `delete ${instance}/numbers/:number_id`,
    `delete ${instance}/ring-groups/:ring_group_id`,
    `get ${instance}/calls/:call_id/recording`,
    `get ${extension}/messages`,
    `get ${extension}/messages/:voicemail_id/content`,
    `patch ${ordered}`,
    `patch ${extension}/forwards`,
    `patch ${instance}/numbers/:number_id`,
    `patch ${instance}/ring-groups/:ring_group_id`,
    'post /api/v1/messages',
    `post ${instance}/bulks/extensions`,
    `post ${instance}/drift`,
    `post ${extension}/calls`,
    `post ${instance}/numbers`,
    `post ${instance}/ring-groups`,
    'post /ops/api/far-ends/:kind/:id/test',
    `post /portal/api${extension}/retry`,
    `put ${ordered}`,
  ]);
});
