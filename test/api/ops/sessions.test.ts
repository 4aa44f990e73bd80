import { removeOperator } from '../../../src/ops/commands/operators';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { operator, type OperatorClient } from '../../support/operators';
import { cookieOf, pageOf } from '../../support/http/pages';

let cluster: Cluster;
let node: TestNode;
let other: TestNode;
let full: OperatorClient;
let reader: OperatorClient;

beforeAll(async () => {
  cluster = await openCluster({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT: 'off' });
  [node, other] = await Promise.all([cluster.node(), cluster.node()]);
  await node.kernel.jobs.registry.queue('test-work');
  full = await operator(node.kernel, node, 'ada', 'full');
  reader = await operator(node.kernel, node, 'rita', 'read');
});
afterAll(() => cluster.close());

const SESSION = '/ops/web/session';
const signIn = (name: string, key: string, headers: Record<string, string> = {}) =>
  node.call(SESSION, { json: { name, key }, headers });
const audit = async () => (await full.get('/audit', { limit: '1' })).body.entries[0];

test("An operator's name and key open a console session on every node, and the audit trail shows it", async () => {
  expect((await node.call(SESSION)).body).toMatchObject({ signed_in: false });
  const answer = await signIn('ada', full.key);
  expect(answer).toMatchObject({ status: 200, body: { signed_in: true, name: 'ada', access: 'full' } });
  expect(answer.headers.get('set-cookie')).toMatch(
    /^partyline_operator=\w{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
  );
  expect(await audit()).toMatchObject({ operator: 'ada', via: 'console', action: 'sign-in' });
  const page = pageOf(answer);
  expect((await page.call(other, '/ops/api/me')).body).toEqual({ name: 'ada', access: 'full' });
  expect((await page.call(other, SESSION)).body).toEqual(answer.body);
  const stored = JSON.stringify(await node.kernel.mysql('ops_sessions').select());
  expect(stored).not.toContain(page.cookie.split('=')[1]);
  expect(stored).not.toContain(page.token);
});

test('One-click sign-in to the console works in development, and is hidden and refused in production', async () => {
  const { body } = await node.call(SESSION);
  expect(body.demo_operators).toContainEqual({ name: 'rita', access: 'read' });
  expect(await node.call(SESSION, { json: { demo: 'rita' } })).toMatchObject({
    status: 200,
    body: { signed_in: true, name: 'rita', access: 'read' },
  });
  expect(await audit()).toMatchObject({ operator: 'rita', via: 'console', action: 'sign-in' });
  expect((await node.call(SESSION, { json: { demo: 'nobody' } })).status).toBe(401);
  const secrets = { SECRET_KEY: 'a-secret-of-more-than-thirty-two-characters', PUBLIC_URL: 'https://chat.example.com' };
  const production = await cluster.node({ NODE_ENV: 'production', AUTH_METHODS: 'email,password', ...secrets });
  expect((await production.call(SESSION)).body).toEqual({ signed_in: false });
  const answer = await production.call(SESSION, { json: { demo: 'rita' } });
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([400, null]);
});

test('Over TLS the console cookie is Secure and bound to this host', async () => {
  const tls = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '192.0.2.7' };
  const answer = await signIn('ada', full.key, tls);
  expect(answer.headers.get('set-cookie')).toMatch(/^__Host-partyline_operator=\w{43}; Path=\/; .*; Secure$/);
  const page = pageOf(answer);
  expect((await page.call(node, '/ops/api/me', { headers: tls })).status).toBe(200);
  const plain = { ...tls, Cookie: page.cookie.replace('__Host-', '') };
  expect((await page.call(node, '/ops/api/me', { headers: plain })).status).toBe(401);
});

test('Signing in to the console with a wrong name or key is refused without a challenge', async () => {
  const own = { 'Sec-Fetch-Site': 'same-origin' };
  for (const [name, key] of [
    ['ada', 'x'.repeat(40)],
    ['rita', full.key],
    ['ada', 'demo-key-one'],
    ['', ''],
  ] as const) {
    const answer = await signIn(name, key, own);
    expect(answer).toMatchObject({ status: 401, body: { status: 401, code: 'BAD_CREDENTIALS' } });
    expect([answer.headers.get('set-cookie'), answer.headers.get('www-authenticate')]).toEqual([null, null]);
  }
  expect((await node.call('/ops/api/me', { headers: own })).headers.get('www-authenticate')).toBeNull();
  expect((await node.call('/ops/api/me')).headers.get('www-authenticate')).toContain('Bearer');
});

test('The console cookie needs its token, and requests from another site are refused', async () => {
  const page = pageOf(await signIn('ada', full.key));
  const pause = { method: 'POST', json: {} };
  for (const [headers, code] of [
    [{ 'X-Partyline-Token': '' }, 'TOKEN_REQUIRED'],
    [{ 'X-Partyline-Token': 'x'.repeat(64) }, 'TOKEN_REQUIRED'],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 'OTHER_ORIGIN'],
    [{ 'Sec-Fetch-Site': 'same-site' }, 'OTHER_ORIGIN'],
    [{ Origin: 'https://evil.example' }, 'OTHER_ORIGIN'],
    [{ Origin: 'null' }, 'OTHER_ORIGIN'],
  ] as const) {
    for (const [path, ask] of [
      ['/ops/api/me', {}],
      ['/ops/api/queues/test-work/pause', pause],
    ] as const) {
      const answer = await page.call(node, path, { ...ask, headers });
      expect(answer).toMatchObject({ status: 403, body: { code } });
      expect(answer.headers.get('www-authenticate')).toBeNull();
    }
  }
  const elsewhere = await signIn('ada', full.key, { Origin: 'https://evil.example' });
  expect([elsewhere.status, cookieOf(elsewhere)]).toEqual([403, '']);
  expect(await (await node.kernel.jobs.registry.queue('test-work')).isPaused()).toBe(false);
});

test('Actions in the console are in the audit trail, and a read-only operator can only look and sign out', async () => {
  const page = pageOf(await signIn('ada', full.key));
  const own = { headers: { Origin: node.url, 'Sec-Fetch-Site': 'same-origin' }, json: {} };
  expect((await page.call(node, '/ops/api/queues/test-work/pause', own)).status).toBe(200);
  expect(await audit()).toMatchObject({ operator: 'ada', via: 'console', action: 'pause', target: 'test-work' });
  const readers = pageOf(await signIn('rita', reader.key));
  expect((await readers.call(node, '/ops/api/queues')).status).toBe(200);
  expect((await readers.call(node, '/ops/api/queues/test-work/resume', own)).status).toBe(403);
  const out = await readers.call(node, SESSION, { method: 'DELETE' });
  expect([out.status, out.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('Max-Age=0')]);
  expect(await audit()).toMatchObject({ operator: 'rita', via: 'console', action: 'sign-out' });
  expect(await readers.call(node, '/ops/api/me')).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
  expect(
    (await node.call(SESSION, { method: 'DELETE', headers: { Authorization: `Bearer ${full.key}` } })).status,
  ).toBe(401);
});

test('A console session ends with its operator, after half a day unused, after a week, and beyond the limit', async () => {
  const short = await operator(node.kernel, node, 'tim', 'full');
  const status = async (page: { call: ReturnType<typeof pageOf>['call'] }) =>
    (await page.call(node, '/ops/api/me')).status;
  const page = pageOf(await signIn('tim', short.key));
  expect(await status(page)).toBe(200);
  await removeOperator(node.kernel.transaction, 'tim');
  expect(await status(page)).toBe(401);
  for (const column of ['last_used_at', 'created_at']) {
    const aged = pageOf(await signIn('ada', full.key));
    const newest = node.kernel.mysql('ops_sessions').orderBy('id', 'desc').limit(1);
    await newest.update({
      [column]: node.kernel.mysql.raw(`NOW(3) - INTERVAL ${column === 'created_at' ? 8 * 24 : 13} HOUR`),
    });
    expect({ column, status: await status(aged) }).toEqual({ column, status: 401 });
    expect((await aged.call(node, SESSION)).body).toMatchObject({ signed_in: false });
  }
  const first = pageOf(await signIn('rita', reader.key));
  for (let count = 0; count < 50; count += 1) await signIn('rita', reader.key);
  expect(await status(first)).toBe(401);
});
