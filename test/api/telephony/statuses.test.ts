import {
  KEY_ONE as ONE,
  KEY_TWO as TWO,
  openPatientCluster,
  seedCompanies,
  type Companies,
} from '../../support/telephony/companies';
import { sweepAbsent } from '../../../src/telephony/commands/contacts/show-presence';
import type { Cluster, TestNode } from '../../support/kernel/cluster';
import { closeSockets, enter } from '../../support/http/sockets';
import { until } from '../../support/until';
import { openPeople, problem, type People, type Person } from './people';

let cluster: Cluster;
let node: TestNode;
let people: People;
let companies: Companies;

beforeAll(async () => {
  cluster = await openPatientCluster({ PRESENCE_MS: '1500', PRESENCE_GRACE_MS: '200' });
  companies = await seedCompanies(cluster);
  node = await cluster.node();
  people = await openPeople(node);
});
afterEach(closeSockets);
afterAll(() => cluster.close());

const read = async (person: Person, id: string) => (await person('GET', `/statuses/v2/users?user_id=${id}`)).body[0];
const mainOf = async (id: string) => (await read(people.owner, id)).main_status.status as string;
const sweep = () => sweepAbsent(node.kernel, cluster.config());

describe('GET /statuses/v2/users', () => {
  test('GET /statuses/v2/users shows everyone of the company, offline until they connect', async () => {
    const { status, body } = await people.owner('GET', '/statuses/v2/users');
    expect(status).toBe(200);
    expect(body).toHaveLength(2);
    expect(body[0]).toEqual({
      id: expect.any(String),
      company_id: companies.one,
      user_id: people.ids.owner,
      user_email: 'owner@example.com',
      status: { status: 'offline', action_type: 'automatic' },
      main_status: { status: 'offline', action_type: 'automatic' },
      additional_status: { status: '', action_type: 'automatic' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
      deleted_at: null,
    });
  });

  test.each([
    ['one user', () => people.ids.member, 1],
    ['several users', () => `${people.ids.member},${people.ids.owner}`, 2],
    ['nobody', () => 'nobody', 0],
    ['a stranger', () => people.ids.stranger, 0],
  ])('GET /statuses/v2/users is filtered by user_id of %s', async (_, ids, count) => {
    expect((await people.owner('GET', `/statuses/v2/users?user_id=${ids()}`)).body).toHaveLength(count);
  });

  test('GET /statuses/v2/users needs a key', async () => {
    expect(await node.call('/statuses/v2/users')).toMatchObject(problem(401));
  });
});

describe('PATCH /status/v2/current-user', () => {
  const path = '/status/v2/current-user';

  test('PATCH sets either status, returns both, and leaves the other unchanged', async () => {
    const main = await people.member('PATCH', path, { main_status: { status: 'away' } });
    expect(main.body).toMatchObject({
      main_status: { status: 'away', action_type: 'manual' },
      additional_status: { status: '' },
    });
    const draft = { status: 'on_a_call', action: 'set', action_type: 'manual' };
    const both = { main_status: { status: 'away' }, additional_status: { status: 'on_a_call', action_type: 'manual' } };
    expect((await people.member('PATCH', path, { additional_status: draft })).body).toMatchObject(both);
    expect(await read(people.owner, people.ids.member)).toMatchObject(both);
    await people.member('PATCH', path, { additional_status: { action: 'unset' } });
    expect(await read(people.owner, people.ids.member)).toMatchObject({
      main_status: { status: 'away' },
      additional_status: { status: '' },
    });
  });

  test('Each change of status is published once with the effective status, and an unchanged status is not published', async () => {
    const watcher = await enter(node.url, { token: ONE });
    const set = async (body: object) => (await people.member('PATCH', path, body)).body;
    const published = () => watcher.named('user_status_updated').map(({ args }) => args[0] as object);
    await set({ main_status: { status: 'away' } });
    const before = published().length;
    const first = await set({ main_status: { status: 'lunch' }, additional_status: { status: 'on_a_call' } });
    await set({ main_status: { status: 'lunch' } });
    const same = await set({ additional_status: { status: 'on_a_call' } });
    expect(same.updated_at).toBe(first.updated_at);
    await set({ additional_status: { status: 'do_not_disturb', action_type: 'automatic' } });
    await set({ additional_status: null });
    await set({ additional_status: null });
    await set({ main_status: { status: 'away' } });
    await until(() => published().length >= before + 5);
    const status = (word: string, type = 'manual') => ({ status: { status: word, action_type: type } });
    // A request that changes both statuses publishes one event for each, so that a client learns of both.
    expect(published().slice(before)).toMatchObject([
      status('lunch'),
      status('on_a_call'),
      status('do_not_disturb', 'automatic'),
      status('', 'automatic'),
      status('away'),
    ]);
    expect(await read(people.owner, people.ids.member)).toMatchObject(published().at(-1)!);
  });

  test.each([
    ['nothing', {}],
    ['no status', { main_status: {} }],
    ['no text', { main_status: { status: 7 } }],
    ['a sentence', { main_status: { status: 'Out to lunch!' } }],
    ['too long', { main_status: { status: 'x'.repeat(41) } }],
    ['another action', { additional_status: { status: 'lunch', action: 'juggle' } }],
    ['an action without a status', { additional_status: { action: 'set' } }],
  ])('PATCH of a status is refused: %s', async (_, body) => {
    expect(await people.member('PATCH', path, body)).toMatchObject(problem(400));
  });
});

describe('Presence', () => {
  test('A connected user is online and shown with the chosen status, and a user who is gone goes offline with one event', async () => {
    const watcher = await enter(node.url, { token: ONE });
    const socket = await enter(node.url, { token: ONE, user_email: 'member@example.com' });
    expect((await watcher.next('user_status_updated'))[0]).toMatchObject({
      user_id: people.ids.member,
      status: { status: 'away', action_type: 'manual' },
    });
    expect(await mainOf(people.ids.member)).toBe('away');
    expect(await mainOf(people.ids.owner)).toBe('available');
    socket.close();
    await until(async () => {
      await Promise.all([sweep(), sweep()]);
      return (await mainOf(people.ids.member)) === 'offline';
    });
    expect((await watcher.next('user_status_updated', 2))[0]).toMatchObject({
      user_id: people.ids.member,
      status: { status: 'offline', action_type: 'automatic' },
    });
    await sweep();
    expect(watcher.named('user_status_updated')).toHaveLength(2);
    expect(await mainOf(people.ids.owner)).toBe('available');
  });

  test("A user's own sockets receive no event of the user coming online, nor does a second socket cause one", async () => {
    const first = await enter(node.url, { token: TWO });
    const second = await enter(node.url, { token: TWO });
    second.close();
    await sweep();
    await sweep();
    expect(first.heard.map(({ name }) => name)).toEqual(['connect', 'authenticated']);
  });

  test('Nobody goes offline when Redis loses everything, because nodes report again first', async () => {
    await enter(node.url, { token: ONE });
    const keys = await node.kernel.redis.commands.keys(`${node.kernel.namespace}:{tel:*}:presence*`);
    expect(keys.length).toBeGreaterThan(0);
    await node.kernel.redis.commands.del(...keys);
    const end = Date.now() + 3000;
    while (Date.now() < end) {
      await sweep();
      expect(await mainOf(people.ids.owner)).toBe('available');
    }
  });
});
