import { rotateKey } from '../../../../src/telephony/commands/companies/change-companies';
import {
  KEY_ONE as ONE,
  KEY_TWO as TWO,
  messageOf,
  openPatientCluster,
  seedCompanies,
  messageDelivery,
  type Companies,
} from '../../../support/telephony/companies';
import type { Cluster, TestNode } from '../../../support/kernel/cluster';
import {
  closeSockets,
  enter,
  openSocket,
  receivedBy,
  type Transport,
  type Version,
} from '../../../support/http/sockets';
import { until } from '../../../support/until';
import { openPeople, type People } from '../people';

let cluster: Cluster;
let node: TestNode;
let people: People;
let companies: Companies;

beforeAll(async () => {
  cluster = await openPatientCluster({ SOCKET_AUTH_LIMIT: 'off' });
  companies = await seedCompanies(cluster);
  node = await cluster.node();
  people = await openPeople(node);
});
afterEach(closeSockets);
afterAll(() => cluster.close());

describe('WebSocket connection', () => {
  const versions: Version[] = ['v2', 'v3', 'v4'];
  const transports: Transport[] = ['websocket', 'polling'];
  const ways = versions.flatMap((version) =>
    transports.flatMap((transport) => ['/ws', '/ws/'].map((path) => ({ version, transport, path }))),
  );

  test.each(ways)('A $version client connects by $transport at $path and receives events', async (way) => {
    const socket = openSocket(node.url, way);
    await socket.next('connect');
    socket.emit('authenticate', { token: ONE });
    expect(await socket.next('authenticated')).toEqual([]);
    await messageDelivery(node.kernel, companies.one, `${way.version}-${way.transport}`);
    expect(await socket.next('texting.message.new')).toEqual([messageOf(`${way.version}-${way.transport}`)]);
    expect(socket.heard.map(({ name }) => name)).toEqual(['connect', 'authenticated', 'texting.message.new']);
  });
});

describe('Authentication', () => {
  test('Authentication is acknowledged if the client asks for that', async () => {
    const socket = openSocket(node.url);
    expect(await socket.ask('authenticate', { token: ONE })).toEqual({ authenticated: true });
  });

  test('A wrong key is unauthorized, and the connection ends for good', async () => {
    const socket = openSocket(node.url);
    const answer = await socket.ask('authenticate', { token: 'wrong' });
    expect(answer).toMatchObject({ error: { status: 401, title: 'Unauthorized', type: 'about:blank' } });
    expect(await socket.next('unauthorized')).toEqual([{ message: 'The API key is not valid' }]);
    expect((await socket.next('disconnect'))[0]).toBe('io server disconnect');
  });

  test.each([
    ['nothing', undefined],
    ['text', 'demo-key-one'],
    ['a list', [ONE]],
    ['no token', {}],
    ['a token that is no text', { token: { $ne: '' } }],
    ['a long token', { token: 'x'.repeat(201) }],
    ['a user of another company', { token: ONE, user_email: 'owner@other.example' }],
    ['an unknown user', { token: ONE, user_email: 'nobody@example.com' }],
    ['what only looks like a user', { token: ONE, user_email: 'ｍember@example.com' }],
  ])('Authentication with %s is unauthorized', async (_, payload) => {
    const socket = openSocket(node.url);
    socket.emit('authenticate', payload);
    expect(await socket.next('unauthorized')).toEqual([{ message: expect.any(String) }]);
    expect(socket.named('authenticated')).toEqual([]);
  });

  test('Another attempt within a second of a failed one may succeed', async () => {
    const socket = openSocket(node.url);
    socket.emit('authenticate', { token: 'wrong' });
    await socket.next('unauthorized');
    // A socket that fails later and does not retry: when it is disconnected, the first one would have been too.
    const idle = openSocket(node.url);
    idle.emit('authenticate', { token: 'wrong' });
    await idle.next('unauthorized');
    socket.emit('authenticate', { token: ONE });
    await socket.next('authenticated');
    await idle.next('disconnect');
    expect(await socket.ask('authenticate', { token: ONE })).toMatchObject({ authenticated: true });
  });

  test('The fifth failed authentication ends the connection at once', async () => {
    const socket = openSocket(node.url);
    for (let tries = 0; tries < 6; tries += 1) socket.emit('authenticate', { token: 'wrong' });
    await socket.next('disconnect');
    expect(socket.named('unauthorized')).toHaveLength(5);
  });

  test('Attempts that are sent together with the fifth failure get no answer, not even the right key', async () => {
    const socket = openSocket(node.url);
    // Refused without a database query, so all six are answered before a timer can fire.
    for (let tries = 0; tries < 6; tries += 1) socket.emit('authenticate', {});
    socket.emit('authenticate', { token: ONE });
    await socket.next('disconnect');
    expect(socket.named('unauthorized')).toHaveLength(5);
    expect(socket.named('authenticated')).toEqual([]);
  });

  test('Successful authentications do not count, and reset the failures before them', async () => {
    const socket = openSocket(node.url);
    for (let times = 1; times <= 6; times += 1) {
      socket.emit('authenticate', { token: ONE });
      await socket.next('authenticated', times);
    }
    for (let times = 1; times <= 4; times += 1) socket.emit('authenticate', { token: 'wrong' });
    socket.emit('authenticate', { token: ONE });
    await socket.next('authenticated', 7);
    socket.emit('authenticate', { token: 'wrong' });
    await socket.next('unauthorized', 5);
    socket.emit('authenticate', { token: ONE });
    await socket.next('authenticated', 8);
  });

  test('A socket does nothing and receives nothing before it authenticates', async () => {
    const socket = openSocket(node.url);
    const reading = { conversation_id: 'c', messagesIds: ['m'] };
    expect(await socket.ask('texting.message.markAsRead', reading)).toMatchObject({ error: { status: 401 } });
    await messageDelivery(node.kernel, companies.one, 'unheard');
    await messageDelivery(node.kernel, companies.two, 'unheard');
    expect(receivedBy(socket)).toEqual([]);
  });

  test('Authentication with user_email records the visit of that user', async () => {
    await node.kernel.mysql('tel_contacts').update({ last_enter_at: null });
    await enter(node.url, { token: ONE, user_email: 'MEMBER@example.com' });
    const lastEnter = async (id: string) =>
      (await people.owner('GET', `/company/contacts/${id}`)).body.last_enter as string | null;
    expect(Date.parse((await lastEnter(people.ids.member))!)).toBeGreaterThan(Date.now() - 60_000);
    expect(await lastEnter(people.ids.owner)).toBeFalsy();
  });

  test('A socket that authenticates again with another key receives events of the other company only', async () => {
    const socket = await enter(node.url, { token: ONE });
    socket.emit('authenticate', { token: TWO });
    await socket.next('authenticated', 2);
    await messageDelivery(node.kernel, companies.one, 'first');
    await messageDelivery(node.kernel, companies.two, 'second');
    await socket.next('texting.message.new');
    expect(receivedBy(socket).map(({ args }) => args[0].id as string)).toEqual(['second']);
  });

  test('A socket that authenticates again with a wrong key receives nothing more', async () => {
    const socket = await enter(node.url, { token: ONE });
    socket.emit('authenticate', { token: 'wrong' });
    await socket.next('unauthorized');
    await messageDelivery(node.kernel, companies.one, 'lost');
    await socket.next('disconnect');
    expect(receivedBy(socket)).toEqual([]);
  });
});

describe('Events of a company', () => {
  test('A company receives its own events on each of its sockets, and other companies receive none of them', async () => {
    const own = await Promise.all([enter(node.url, { token: ONE }), enter(node.url, { token: ONE, after: null })]);
    const other = await enter(node.url, { token: TWO });
    await messageDelivery(node.kernel, companies.one, 'secret');
    for (const socket of own) await socket.next('texting.message.new');
    await messageDelivery(node.kernel, companies.two, 'open');
    await other.next('texting.message.new');
    expect(receivedBy(other).map(({ args }) => args[0].id as string)).toEqual(['open']);
    expect(own.map((socket) => socket.named('texting.message.new').length)).toEqual([1, 1]);
  });
});

test('Many sockets that authenticate at once all succeed at the first attempt', async () => {
  const users = ['owner@example.com', 'member@example.com'];
  const sockets = Array.from({ length: 60 }, (_, index) =>
    enter(node.url, { token: ONE, user_email: users[index % 2] }),
  );
  expect(await Promise.all(sockets)).toHaveLength(60);
});

describe('Ends of access', () => {
  test('A new key disconnects the sockets of the old key, and lets new sockets connect', async () => {
    const old = await enter(node.url, { token: TWO });
    const other = await enter(node.url, { token: ONE });
    // As the command line does it, in its own process.
    const key = await rotateKey(await cluster.kernel(), companies.two);
    expect(await old.next('unauthorized')).toEqual([{ message: 'The API key is no longer valid' }]);
    await old.next('disconnect');
    await enter(node.url, { token: key });
    expect(other.ended).toBe(false);
    await node.kernel.mysql('tel_keys').where({ company_id: companies.two }).delete();
    await node.kernel
      .mysql('tel_keys')
      .insert({ key_hash: node.kernel.secrets.lookup(TWO), company_id: companies.two, created_at: new Date() });
  });

  test("Removing or disabling a user disconnects that user's sockets, and the others stay connected", async () => {
    const add = async (email: string) =>
      (await people.owner('POST', '/company/contacts', { work_email: email, first_name: 'x' })).body.id as string;
    const [gone, disabled] = [await add('gone@example.com'), await add('disabled@example.com')];
    const sockets = await Promise.all(
      ['gone', 'disabled', 'member'].map((name) => enter(node.url, { token: ONE, user_email: `${name}@example.com` })),
    );
    await people.owner('DELETE', `/company/contacts/${gone}`);
    await people.owner('PATCH', `/company/contacts/${disabled}`, { activated: false });
    await until(() => sockets[0]!.ended && sockets[1]!.ended);
    expect(sockets[0]!.named('unauthorized')).toHaveLength(1);
    expect(sockets[2]!.ended).toBe(false);
  });
});
