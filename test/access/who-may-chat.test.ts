import { reactivateRealm } from '../../src/chat/commands/organisation/realms';
import type { RealmId } from '../../src/chat/model/organisation/realm';
import { callerOf } from '../support/chat/people';
import { basicHeader, type TestClient } from '../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { ROOT } from '../support/chat/organisations';
import { until } from '../support/until';
import { routesOf, type RouteOfDocument } from './routes';
import type { Asking } from '../support/chat/requests/derive';
import { asked, askAs, askingsInOrder, isOfStream } from './who-may/chat-requests';
import { APART } from './who-may/chat-apart';
import { WHO_MAY } from './who-may/chat-table';
import { ABOVE, type Above, done, KINDS, openWorld, type Kind, type World } from './who-may/chat-world';

let cluster: Cluster;
let node: TestNode;
let routes: RouteOfDocument[];
let askings: Asking[];

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', PUBLIC_URL: `https://${ROOT}`, TRUSTED_PROXIES: '127.0.0.1' });
  node = await cluster.node();
  routes = await routesOf(node, 'chat');
  askings = askingsInOrder(routes);
});
afterAll(() => cluster.close());

const OWN_KEY = 'POST /api/v1/users/me/api_key/regenerate';
const OWN_ORGANISATION = 'POST /api/v1/realm/deactivate';

/** The requests that this caller was allowed to make, of those that are made. */
async function walk({ client, actor, things }: World, made: readonly Asking[]): Promise<string[]> {
  const allowed: string[] = [];
  let by = actor;
  for (const asking of made) {
    const caller = by;
    // A node that is too busy for a picture says so, and the request is repeated.
    const { status, text } = await until(
      () => askAs(caller, asking, things),
      (answer) => answer.status !== 503,
    );
    if (status >= 500) throw new Error(`${asking.name}: ${status} ${text}`);
    if (status < 400) allowed.push(asking.name);
    if (status < 400 && asking.route === OWN_KEY) by = await callerOf(client, actor.email);
    if (status < 400 && asking.route === OWN_ORGANISATION) {
      await reactivateRealm(node.kernel.transaction, things.realm_id as RealmId);
    }
  }
  return allowed.sort();
}

const expectedOf = (kind: Kind, where: 'public' | 'private'): string[] =>
  WHO_MAY.filter((row) => row.where[where].split(' ').includes(kind))
    .flatMap(({ requests }) => requests)
    .sort();

test.each(KINDS)('A caller of the kind %s may do what the table says, and no more', async (kind) => {
  expect(await walk(await openWorld(node, kind, false), askings)).toEqual(expectedOf(kind, 'public'));
});

describe('A private stream', () => {
  /** The others are the same as in a public one. */
  let ofStream: Asking[];
  beforeAll(() => void (ofStream = askings.filter(isOfStream)));

  test('The table distinguishes public and private streams only for requests that name the stream', () => {
    const distinguished = WHO_MAY.filter(({ where }) => where.public !== where.private);
    const names = new Set(ofStream.map(({ name }) => name));
    expect(distinguished.flatMap(({ requests }) => requests).filter((name) => !names.has(name))).toEqual([]);
  });

  test.each(KINDS)('A caller of the kind %s may do what the table says with it, and no more', async (kind) => {
    const names = new Set(ofStream.map(({ name }) => name));
    const expected = expectedOf(kind, 'private').filter((name) => names.has(name));
    expect(await walk(await openWorld(node, kind, true), ofStream)).toEqual(expected);
  });
});

/** With a private stream, what is asked of it is what the others must not do. */
test.each(Object.keys(ABOVE) as Above[])('A caller of the kind %s may do little else than one below', async (kind) => {
  const where = kind === 'owner' ? 'private' : 'public';
  const given = new Set(expectedOf(ABOVE[kind], where));
  const left = askings.filter((asking) => !given.has(asking.name) && (where === 'public' || isOfStream(asking)));
  expect(await walk(await openWorld(node, kind, where === 'private'), left)).toEqual(expectedOf(kind, where));
});

test('Every route of chat is in the table of permissions, or exempt from it', () => {
  const named = new Set(askings.map(({ route }) => route));
  expect(routes.map(({ name }) => name).filter((route) => !named.has(route) && !APART.has(route))).toEqual([]);
  const requests = WHO_MAY.flatMap((row) => row.requests);
  expect([...requests].sort()).toEqual(askings.map(({ name }) => name).sort());
});

/** Headers that grant nothing: none, an unknown key, a key of a deactivated account, another organisation's key. */
async function uselessHeaders({ client }: World, other: World): Promise<Record<string, Record<string, string>>> {
  const admin = await callerOf(client, 'admin@example.com');
  const email = 'gone@example.com';
  const password = 'correct horse battery staple';
  await done(admin.post('/users', { email, password, full_name: 'Long Gone' }));
  const gone = await callerOf(client, email);
  await done(admin.del(`/users/${gone.id}`));
  return {
    nobody: {},
    stranger: basicHeader('admin@example.com', 'x'.repeat(32)),
    deactivated: gone.headers,
    foreign: other.actor.headers,
  };
}

async function statusAt(client: TestClient, name: string, headers: Record<string, string>, { things }: World) {
  const asking = askings.find((each) => each.name === name)!;
  const { path, ask } = asked(asking, things);
  const { status, text } = await client.call(path, { ...ask, headers });
  expect(text).not.toContain('a secret');
  return status;
}

test('Every chat route answers 401 without a key, to strangers, deactivated accounts and other organisations', async () => {
  const world = await openWorld(node, 'member', false);
  const other = await openWorld(node, 'admin', false);
  const closed = routes.filter(({ isOpen }) => !isOpen).map(({ name }) => name);
  const names = askings.filter(({ route }) => closed.includes(route)).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(90);
  for (const [who, headers] of Object.entries(await uselessHeaders(world, other))) {
    for (const name of names) {
      expect({ who, name, status: await statusAt(world.client, name, headers, world) }).toEqual({
        who,
        name,
        status: 401,
      });
    }
  }
});
