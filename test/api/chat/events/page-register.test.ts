import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FETCHED } from '../../../../web/chat/data/ask';
import { newUser, userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let member: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  member = await userOf(node, 'member');
});
afterAll(() => cluster.close());

const fetched = async (types: readonly string[]) => (await member.post('/register', { fetch_event_types: types })).body;
const idsOf = (people: readonly { user_id: number }[]): number[] => people.map(({ user_id }) => user_id);

test('known_people has the user and the people of private conversations, active or not, and nobody else', async () => {
  const owner = await userOf(node, 'owner');
  const [ada, bob] = [await newUser(node, 'ada'), await newUser(node, 'bob')];
  await newUser(node, 'stranger');
  await member.post('/messages', { type: 'private', to: [ada.id, bob.id], content: 'hello' });
  expect((await owner.del(`/users/${bob.id}`)).status).toBe(200);
  const body = await fetched(['known_people']);
  expect(idsOf(body.realm_users)).toEqual([member.id, ada.id]);
  expect(idsOf(body.realm_non_active_users)).toEqual([bob.id]);
  expect(body.cross_realm_bots).toMatchObject([{ email: 'notification-bot@zulip.com' }]);
  const everybody = await fetched(['realm_user']);
  const listed = (id: number) => everybody.realm_users.find((each: { user_id: number }) => each.user_id === id);
  // With their roles, which clients of 2.1 do not have.
  const withRole = (id: number) => ({ ...listed(id), role: 400 });
  expect(body.realm_users).toEqual([withRole(member.id), withRole(ada.id)]);
  expect(Object.keys(body).sort()).toEqual(Object.keys(everybody).sort());
});

test('known_people changes nothing for a client that requests everybody', async () => {
  const both = await fetched(['known_people', 'realm_user']);
  expect(both.realm_users).toEqual((await fetched(['realm_user'])).realm_users);
});

/** Sources of the chat page, with the names of the register answer that they read. */
function readNames(): string[] {
  const folder = join(__dirname, '../../../../web/chat');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const found = [
    ...text.matchAll(/\b(?:useS|s)etting(?:<[^(]*>)?\(\s*'(\w+)'/g),
    ...text.matchAll(/settings\['(\w+)'\]/g),
  ];
  return [...new Set(found.map(([, name]) => name!))];
}

test('The page fetches every part of the initial state that it reads', async () => {
  const body = await fetched(FETCHED);
  const names = readNames();
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !(name in body))).toEqual([]);
});
