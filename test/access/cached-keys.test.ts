/** A company's key is cached by each node that it calls. Whoever loses access loses it on every node. */
import { closeSockets } from '../support/http/sockets';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { pageOf, type TestPage } from '../support/http/pages';
import { until } from '../support/until';
import { actAs, openPeople, type People } from '../api/telephony/people';

const KEYS = '/portal/api/keys';

let cluster: Cluster;
let here: TestNode;
let elsewhere: TestNode;
let people: People;
let owner: TestPage;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOGIN_LIMIT: 'off', COUNT_ROUND_TRIPS: 'on' });
  await cluster.seed();
  [here, elsewhere] = await Promise.all([cluster.node(), cluster.node()]);
  people = await openPeople(here);
  owner = pageOf(await here.call('/portal/api/session', { json: { demo: people.ids.owner } }));
});
afterAll(async () => {
  closeSockets();
  await cluster.close();
});

const make = async (name: string) =>
  (await owner.call(here, KEYS, { json: { name } })).body as { id: string; key: string };

/** The status of a read at a node. */
const read = async (node: TestNode, key: string, user?: string): Promise<number> =>
  (await actAs(node, key, user)('GET', '/company/locations')).status;

async function roundTrips(node: TestNode): Promise<number> {
  const { text } = await node.call('/metrics');
  const start = 'partyline_http_mysql_round_trips_total{product="/",route="/company/locations",method="GET"';
  const line = text.split('\n').find((each) => each.startsWith(start));
  return Number(line?.split(' ').at(-1) ?? 0);
}

/** Calls a node until it knows the key: the call then reads only the locations. */
async function warm(node: TestNode, key: string, user?: string): Promise<void> {
  await until(async () => {
    const before = await roundTrips(node);
    expect(await read(node, key, user)).toBe(200);
    return (await roundTrips(node)) - before === 1;
  });
}

test('A deleted key is refused at once by its node, and then by every other that knew it', async () => {
  const { id, key } = await make('Shared');
  await Promise.all([here, elsewhere].map((node) => warm(node, key)));
  expect(await owner.call(here, `${KEYS}/${id}`, { method: 'DELETE' })).toMatchObject({ status: 200 });
  expect(await read(here, key)).toBe(401);
  await until(async () => (await read(elsewhere, key)) === 401);
});

test('A node that gets no news of a deletion refuses the key some seconds later', async () => {
  const { id, key } = await make('Unheard');
  await warm(elsewhere, key);
  const { socketEvents } = here.kernel;
  const { spread } = socketEvents;
  socketEvents.spread = () => {};
  try {
    expect(await owner.call(here, `${KEYS}/${id}`, { method: 'DELETE' })).toMatchObject({ status: 200 });
    await until(async () => (await read(elsewhere, key)) === 401);
  } finally {
    socketEvents.spread = spread;
  }
});

test('A disabled user is refused on every node, and let in again once enabled', async () => {
  const { member } = people.ids;
  await Promise.all([here, elsewhere].map((node) => warm(node, 'demo-key-one', member)));
  const set = (activated: boolean) => people.owner('PATCH', `/company/contacts/${member}`, { activated });
  expect((await set(false)).status).toBe(200);
  expect(await read(here, 'demo-key-one', member)).toBe(401);
  await until(async () => (await read(elsewhere, 'demo-key-one', member)) === 401);
  expect((await set(true)).status).toBe(200);
  for (const node of [here, elsewhere]) expect(await read(node, 'demo-key-one', member)).toBe(200);
});
