import { companyDelivery } from '../../../../src/telephony/model/companies/company-event';
import {
  KEY_ONE as ONE,
  KEY_TWO as TWO,
  messageOf,
  messagesReceived,
  openPatientCluster,
  seedCompanies,
  type Companies,
} from '../../../support/telephony/companies';
import type { Cluster, Environment, TestNode } from '../../../support/kernel/cluster';
import { closeSockets, enter, openSocket } from '../../../support/http/sockets';
import { until } from '../../../support/until';

interface Pausable {
  pause(): void;
  resume(): void;
}

let cluster: Cluster;
let companies: Companies;
beforeAll(async () => {
  cluster = await openPatientCluster();
  companies = await seedCompanies(cluster);
});
afterEach(closeSockets);
afterAll(() => cluster.close());

const nodeWith = (more: Environment): Promise<TestNode> => cluster.node({ SOCKET_AUTH_LIMIT: 'off', ...more });

test('A socket that does not authenticate in time is notified and disconnected, and one that does stays open', async () => {
  const node = await nodeWith({ SOCKET_AUTH_MS: '1500' });
  const silent = openSocket(node.url);
  const quick = await enter(node.url, { token: ONE });
  expect(await silent.next('unauthorized')).toEqual([{ message: 'The socket did not authenticate in time' }]);
  await silent.next('disconnect');
  expect(quick.ended).toBe(false);
});

test('The sockets of a key on a node are limited, each that leaves makes room, and other keys have their own limit', async () => {
  const node = await nodeWith({ SOCKETS_PER_KEY: '2' });
  const [first] = [await enter(node.url, { token: ONE }), await enter(node.url, { token: ONE })];
  const third = openSocket(node.url);
  expect(await third.ask('authenticate', { token: ONE })).toMatchObject({ error: { status: 429 } });
  await third.next('unauthorized');
  await enter(node.url, { token: TWO });
  first.close();
  await until(() => enter(node.url, { token: ONE }).catch(() => false));
});

test('A socket that authenticates again is not counted twice', async () => {
  const node = await nodeWith({ SOCKETS_PER_KEY: '1' });
  const socket = await enter(node.url, { token: ONE });
  for (let times = 2; times < 5; times += 1) {
    socket.emit('authenticate', { token: ONE });
    await socket.next('authenticated', times);
  }
});

test('The number of sockets on a node is limited', async () => {
  const node = await nodeWith({ MAX_SOCKETS: '2' });
  const [first] = [await enter(node.url, { token: ONE }), await enter(node.url, { token: TWO })];
  const third = openSocket(node.url);
  await third.next('connect_error');
  first.close();
  await until(() => enter(node.url, { token: ONE }).catch(() => false));
});

test('The number of sockets per address is limited, and addresses behind a trusted proxy count separately', async () => {
  const node = await nodeWith({ SOCKETS_PER_ADDRESS: '1', TRUSTED_PROXIES: '127.0.0.1' });
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
  await enter(node.url, { token: ONE }, from('192.0.2.1'));
  const second = openSocket(node.url, from('192.0.2.1'));
  await second.next('connect_error');
  await enter(node.url, { token: ONE }, from('192.0.2.2'));
});

test('An address that fails too often is ignored on every node, even with the right key', async () => {
  const more = { SOCKET_AUTH_LIMIT: '60:3', TRUSTED_PROXIES: '127.0.0.1' };
  const [one, two] = [await nodeWith(more), await nodeWith(more)];
  const from = { headers: { 'X-Forwarded-For': '192.0.2.9' } };
  const wrong = openSocket(one.url, from);
  for (let tries = 0; tries < 5; tries += 1) wrong.emit('authenticate', { token: 'wrong' });
  await wrong.next('disconnect');
  const right = openSocket(one.url, from);
  expect(await right.ask('authenticate', { token: ONE })).toMatchObject({ error: { status: 429 } });
  // The other node learns of it with the first failure there.
  const elsewhere = openSocket(two.url, from);
  expect(await elsewhere.ask('authenticate', { token: 'wrong' })).toMatchObject({ error: { status: 401 } });
  expect(await elsewhere.ask('authenticate', { token: ONE })).toMatchObject({ error: { status: 429 } });
  await enter(one.url, { token: ONE }, { headers: { 'X-Forwarded-For': '192.0.2.10' } });
});

test('A packet that is too large ends the connection', async () => {
  const node = await nodeWith({});
  for (const transport of ['websocket', 'polling'] as const) {
    const socket = await enter(node.url, { token: ONE }, { transport });
    socket.emit('texting.message.markAsRead', { conversation_id: 'x'.repeat(100_001), messagesIds: [] });
    await socket.next('disconnect');
  }
});

test('Events beyond the limit are refused, and a flood ends the connection', async () => {
  const node = await nodeWith({ SOCKET_EVENT_LIMIT: '3600:5' });
  const socket = await enter(node.url, { token: ONE });
  const answers = [];
  for (let times = 0; times < 6; times += 1) answers.push((await socket.ask('unknown')).error.status);
  expect(answers).toEqual([404, 404, 404, 404, 429, 429]);
  for (let times = 0; times < 50; times += 1) socket.emit('unknown');
  await socket.next('disconnect');
});

const LARGE = { count: 100, length: 40_000 };
const SMALL = { count: 1000, length: 1 };

test.each([
  // A few large events fill the system's buffers; after that the number of waiting events counts.
  ['many events', [...Array.from({ length: 3 }, () => LARGE), ...Array.from({ length: 3 }, () => SMALL)]],
  ['large events', Array.from({ length: 8 }, () => LARGE)],
])('A client that does not read %s is cut off before it fills the memory of the node', async (_, batches) => {
  const node = await nodeWith({});
  const socket = await enter(node.url, { token: ONE });
  const reading = await enter(node.url, { token: ONE });
  const { engine } = (socket.raw as unknown as { io: { engine: { transport: { ws: { _socket: Pausable } } } } }).io;
  const stream = engine.transport.ws._socket;
  stream.pause();
  let published = 0;
  const sendMany = async (most: number, text: string) => {
    const message = { ...messageOf('unread'), text };
    await node.kernel.transaction(async (tx) => {
      for (let count = 0; count < most; count += 1) {
        tx.deliver(companyDelivery(companies.one, 'texting.message.new', message));
      }
    });
    published += most;
    await until(() => messagesReceived(reading).length === published);
  };
  const open = async () => Number(/^partyline_sockets\S* (\d+)$/m.exec((await node.call('/metrics')).text)?.[1]);
  for (const { count, length } of batches) {
    await sendMany(count, 'x'.repeat(length));
    if ((await open()) === 1) break;
  }
  await until(open, (sockets) => sockets === 1);
  expect(reading.ended).toBe(false);
  // Events that waited for it in the node are dropped, not sent when it reads again.
  stream.resume();
  await socket.next('disconnect');
  expect(messagesReceived(socket).length).toBeLessThan(published);
});
