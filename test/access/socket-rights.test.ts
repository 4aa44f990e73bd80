/** Sockets of a company: a user who lost access gets no more events, neither new nor missed ones. */
import { bearer } from '../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { startProcess } from '../support/processes/processes';
import { closeSockets, enter, openSocket, type TestSocket } from '../support/http/sockets';
import { until } from '../support/until';

let cluster: Cluster;
let nodes: readonly TestNode[];

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', NODE_ENV: 'development' });
  await cluster.seed();
  nodes = [await cluster.node(), await cluster.node()];
});
afterEach(closeSockets);
afterAll(() => cluster.close());

const call = (key: string, method: string, path: string, json?: object) =>
  nodes[0]!.call(path, { method, headers: bearer(key), ...(json ? { json } : {}) });
const headOf = async (key: string) => Number((await call(key, 'GET', '/events')).headers.get('x-event-seq'));

let count = 0;
/** An event for the whole company. */
async function happen(key: string): Promise<void> {
  count += 1;
  const { status } = await call(key, 'POST', '/texting/conversations', {
    recipients: [{ number: `+1555020${String(count).padStart(4, '0')}` }],
  });
  expect(status).toBe(201);
}

const told = ({ heard }: TestSocket) => heard.filter(({ name }) => name.startsWith('texting.'));

/** Tries to connect with credentials that were valid before, and returns what it received. */
async function comeBack(node: TestNode, credentials: object): Promise<TestSocket> {
  const socket = openSocket(node.url);
  const answer = (await socket.ask('authenticate', credentials)) as { error: { status: number } };
  expect(answer).toMatchObject({ error: { status: 401 } });
  await socket.next('unauthorized');
  return socket;
}

async function lose(key: string, user: { user_email?: string }, loss: () => Promise<string>): Promise<void> {
  const after = await headOf(key);
  const sockets = await Promise.all(nodes.map(({ url }) => enter(url, { token: key, after, ...user })));
  const valid = await loss();
  await until(() => sockets.every(({ ended }) => ended));
  const before = sockets.map((socket) => told(socket).length);
  await happen(valid);
  const witness = await enter(nodes[0]!.url, { token: valid, after });
  await until(() => told(witness).length > 0);
  for (const node of nodes) expect(told(await comeBack(node, { token: key, after, ...user }))).toEqual([]);
  expect(sockets.map((socket) => told(socket).length)).toEqual(before);
}

test('A user who was removed receives nothing more on any node, and no event that was missed', async () => {
  const user_email = 'leaver@example.com';
  const { body } = await call('demo-key-one', 'POST', '/company/contacts', {
    work_email: user_email,
    first_name: 'Lee',
  });
  await lose('demo-key-one', { user_email }, async () => {
    expect((await call('demo-key-one', 'DELETE', `/company/contacts/${String(body.id)}`)).status).toBe(200);
    return 'demo-key-one';
  });
});

test('A user who was disabled receives nothing more on any node, and no event that was missed', async () => {
  const user_email = 'disabled@example.com';
  const { body } = await call('demo-key-one', 'POST', '/company/contacts', {
    work_email: user_email,
    first_name: 'Di',
  });
  await lose('demo-key-one', { user_email }, async () => {
    const change = { activated: false };
    expect((await call('demo-key-one', 'PATCH', `/company/contacts/${String(body.id)}`, change)).status).toBe(200);
    return 'demo-key-one';
  });
});

test('A socket with a replaced key receives nothing more on any node, and no event that was missed', async () => {
  await lose('demo-key-two', {}, async () => {
    const rotation = startProcess('cli/main.ts', cluster.environment, ['key', 'rotate', '--company', 'Other Telecom']);
    expect(await rotation.ended).toBe(0);
    return rotation.output().trim().split('\n').at(-1)!;
  });
});
