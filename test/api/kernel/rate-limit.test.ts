import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { bearer } from '../../support/http/client';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: '60:3' });
  await cluster.seed();
});
afterAll(() => cluster.close());

test('The rate limit counts a user over all nodes, and headers say how many requests are left', async () => {
  const [one, two] = [await cluster.node(), await cluster.node()];
  const headers = await one.basic('member@example.com');
  const me = (at: typeof one) => at.call('/api/v1/users/me', { headers });
  const first = await me(one);
  expect(first.status).toBe(200);
  expect(first.headers.get('x-ratelimit-limit')).toBe('3');
  expect(first.headers.get('x-ratelimit-remaining')).toBe('2');
  const reset = Number(first.headers.get('x-ratelimit-reset'));
  expect(reset).toBeGreaterThan(Date.now() / 1000);
  expect(reset).toBeLessThan(Date.now() / 1000 + 62);
  await me(two);
  expect((await me(one)).headers.get('x-ratelimit-remaining')).toBe('0');
  const over = await me(two);
  expect(over).toMatchObject({
    status: 429,
    body: { result: 'error', msg: 'API usage exceeded rate limit', 'retry-after': expect.any(Number) },
  });
  expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
  // Another user is not affected.
  expect((await one.call('/api/v1/users/me', { headers: await one.basic('other@example.com') })).status).toBe(200);
});

test('The rate limit of telephony counts per key and contact, and answers with a problem', async () => {
  const node = await cluster.node();
  const headers = bearer('demo-key-two');
  const statuses = [];
  for (let call = 0; call < 4; call += 1) statuses.push((await node.call('/system/company', { headers })).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const over = await node.call('/system/company', { headers });
  expect(over.body).toMatchObject({ type: 'about:blank', status: 429, title: 'Too Many Requests' });
  expect(over.headers.get('retry-after')).toBeTruthy();
});

test('The rate limit counts neither callers who are refused nor requests to public endpoints', async () => {
  const node = await cluster.node();
  for (let call = 0; call < 6; call += 1) {
    expect((await node.call('/api/v1/server_settings')).status).toBe(200);
    expect((await node.call('/system/company', { headers: bearer('wrong') })).status).toBe(401);
  }
});

test('With RATE_LIMIT=off no request is limited and no header is sent', async () => {
  const node = await cluster.node({ RATE_LIMIT: 'off' });
  const headers = await node.basic('owner@example.com');
  for (let call = 0; call < 6; call += 1) {
    const answer = await node.call('/api/v1/users/me', { headers });
    expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
  }
});
