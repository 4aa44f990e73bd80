import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { startMainNode } from '../support/processes/main-node';
import { killAll } from '../support/processes/processes';
import { until } from '../support/until';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster({ TRUSTED_PROXIES: '127.0.0.1', PASSWORD_ROUNDS: '5' });
  await cluster.seed();
});
afterAll(async () => {
  await killAll();
  await cluster.close();
});

const login = (node: Pick<TestNode, 'call'>, username: string, password: string, from = '192.0.2.1') =>
  node.call('/api/v1/fetch_api_key', { form: { username, password }, headers: { 'X-Forwarded-For': from } });

test('Login names longer than an address are refused before anything is counted', async () => {
  // Ten from one address.
  const node = await cluster.node({ LOGIN_LIMIT: '600:1' });
  const long = (at: number) => `${'n'.repeat(10_000)}${at}@example.com`;
  const answers = await Promise.all(Array.from({ length: 15 }, (_, at) => login(node, long(at), 'demo')));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
  expect(answers[0]!.body).toMatchObject({ reason: 'incorrect_creds' });
  expect((await login(node, 'owner@example.com', 'demo')).status).toBe(200);
});

test('A body that is larger than any login is refused before it is read, however it is sent', async () => {
  const node = await cluster.node();
  const large = `username=${'n'.repeat(100_000)}%40example.com&password=demo`;
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const whole = await node.call('/api/v1/fetch_api_key', { raw: large, headers });
  expect(whole).toMatchObject({ status: 413, body: { result: 'error' } });
  const chunked = await fetch(`${node.url}/api/v1/fetch_api_key`, {
    method: 'POST',
    headers,
    body: new Blob([large]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(chunked.status).toBe(413);
  // Authenticated callers may send more.
  const member = await node.basic('member@example.com');
  const content = 'é'.repeat(4500);
  expect((await node.call('/api/v1/messages/render', { form: { content }, headers: member })).status).toBe(200);
});

test('All spellings of an address are counted as the same account', async () => {
  const node = await cluster.node({ LOGIN_LIMIT: '600:3' });
  const spellings = [
    'other@example.com',
    'OTHER@example.com ',
    'ｏｔｈｅｒ@example.com',
    'ot\u200bher@example.com',
    'other\u0000@example.com',
    ' other@example.com',
  ];
  const answers = [];
  for (const username of spellings) answers.push(await login(node, username, 'guess'));
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 429, 429, 429]);
  // Accents distinguish users: this one does not exist, and has its own count.
  expect((await login(node, 'öther@example.com', 'guess')).status).toBe(403);
  expect((await login(node, 'öther@example.com', 'demo')).status).toBe(403);
});

test('An API key does not allow faster password guesses than a login', async () => {
  const node = await cluster.node({ LOGIN_LIMIT: '600:3' });
  const headers = await node.basic('guest@example.com');
  const statuses = [];
  for (let at = 0; at < 5; at += 1) {
    const form = { old_password: `guess ${at}`, new_password: 'plain words of nobody' };
    statuses.push((await node.call('/api/v1/settings', { method: 'PATCH', headers, form })).status);
  }
  expect(statuses).toEqual([400, 400, 400, 429, 429]);
});

test('280 concurrent bogus logins are refused beyond a queue, and a valid one from another address is next', async () => {
  const node = await startMainNode({ ...cluster.environment, LOGIN_LIMIT: 'off' });
  const bogus: { status: number; wait: string | null }[] = [];
  const count = (status: number) => bogus.filter((each) => each.status === status).length;
  const all = Array.from({ length: 280 }, async (_, at) => {
    const { status, headers } = await login(node, `nobody-${at}@example.com`, 'guess');
    bogus.push({ status, wait: headers.get('retry-after') });
  });
  await until(
    () => count(429),
    (refused) => refused > 0,
  );
  const hashedBefore = count(403);
  const right = await login(node, 'member@example.com', 'demo', '192.0.2.2');
  const hashedMeanwhile = count(403) - hashedBefore;
  await Promise.all(all);
  expect(right.status).toBe(200);
  // Fewer than half of those that wait in the queue.
  expect(hashedMeanwhile).toBeLessThan(16);
  expect(count(403) + count(429)).toBe(280);
  expect(count(429)).toBeGreaterThan(140);
  for (const { status, wait } of bogus) if (status === 429) expect(Number(wait)).toBeGreaterThan(0);
  node.kill('SIGTERM');
});
