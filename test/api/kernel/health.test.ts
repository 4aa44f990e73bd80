import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { openTestDatabase } from '../../support/kernel/database';
import { integrations } from '../../../src/chat/integrations';
import { openCluster, type Cluster } from '../../support/kernel/cluster';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster();
});
afterAll(() => cluster.close());

test('The path /healthz says that the process is alive, and /readyz that it can serve', async () => {
  const node = await cluster.node({ NODE_NAME: 'tester' });
  expect(await node.call('/healthz')).toMatchObject({ status: 200, body: { status: 'alive', node: 'tester' } });
  expect(await node.call('/readyz')).toMatchObject({
    status: 200,
    body: { status: 'ready', redis: 'ok', mysql: 'ok', migrations: 'ok', draining: 'no' },
  });
});

test('A node whose database is not up to date is not ready', async () => {
  const empty = await openTestDatabase({ migrated: false });
  const node = await cluster.node({ DATABASE_URL: empty.url });
  expect(await node.call('/readyz')).toMatchObject({ status: 503, body: { mysql: 'ok', migrations: 'unusable' } });
  expect((await node.call('/healthz')).status).toBe(200);
  await node.close();
  await empty.drop();
});

describe('/metrics', () => {
  test('The path /metrics measures requests by route, without ids or queries in the labels', async () => {
    const node = await cluster.node();
    await node.call('/api/v1/server_settings?secret=canary');
    const { status, text } = await node.call('/metrics');
    expect(status).toBe(200);
    expect(text).toMatch(
      /partyline_http_request_seconds_count\{[^}]*route="\/server_settings"[^}]*status="200"[^}]*\} 1/,
    );
    expect(text).not.toContain('canary');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
  });

  test('A remote request for /metrics needs the token, even through a proxy on this machine', async () => {
    const node = await cluster.node({ METRICS_TOKEN: 'letmein', HOST: '0.0.0.0', AUTH_METHODS: 'password' });
    const through = (headers: Record<string, string>) => node.call('/metrics', { headers });
    expect((await through({ 'X-Forwarded-For': '198.51.100.7' })).status).toBe(401);
    expect((await through({ 'X-Forwarded-For': '198.51.100.7', Authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await through({ 'X-Forwarded-For': '198.51.100.7', Authorization: 'Bearer letmein' })).status).toBe(200);
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((each) => each && !each.internal && each.family === 'IPv4');
    if (!outside) return;
    const status = await new Promise((resolve, reject) => {
      request({ host: outside.address, port: node.port, path: '/metrics' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(401);
  });

  test('A remote request for /metrics is refused when no token is configured', async () => {
    const node = await cluster.node();
    const headers = { 'X-Forwarded-For': '198.51.100.7', Authorization: 'Bearer ' };
    expect((await node.call('/metrics', { headers })).status).toBe(401);
  });
});

describe('/docs', () => {
  test('The page /docs shows the API reference without loading anything from another server', async () => {
    const node = await cluster.node();
    const page = await node.call('/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(page.text).not.toMatch(/https?:/);
    for (const [, path] of page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      expect((await node.call(path!)).status).toBe(200);
    }
  });

  test('The page /docs lists the page of every integration, and each of them is served', async () => {
    const node = await cluster.node();
    const [reference, contents] = [await node.call('/docs'), await node.call('/docs/integrations/')];
    for (const name of integrations.keys()) {
      const path = `/docs/integrations/${name}`;
      expect(reference.text).toContain(`href="${path}"`);
      expect(contents.text).toContain(`href="${path}"`);
      const page = await node.call(path);
      expect(page.headers.get('content-type')).toContain('text/html');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.text).toMatch(/<h1>\S/);
      expect(page.text).toContain(`${node.url}/api/v1/external/${name}?api_key=KEY`);
      expect(page.text).not.toContain('127.0.0.1:9991');
    }
    expect((await node.call('/docs/integrations/nothing')).status).toBe(404);
    expect((await node.call('/docs/integrations/__proto__')).status).toBe(404);
  });

  test('A search without script finds pages and operations, and shows its words as text', async () => {
    const node = await cluster.node();
    const pages = await node.call('/docs/search', { query: { q: 'github pull' } });
    expect(pages.text).toContain('href="/docs/integrations/github"');
    const operations = await node.call('/docs/search', { query: { q: 'post /api/v1/messages' } });
    expect(operations.text).toMatch(/href="\/docs#\/chat\/chat_post_messages"/);
    const hostile = await node.call('/docs/search', { query: { q: '"><script>alert(1)</script>' } });
    expect(hostile.text).toContain('Nothing was found.');
    expect(hostile.text).not.toContain('<script>alert');
    expect(hostile.headers.get('content-security-policy')).not.toContain('unsafe');
    const { body } = await node.call('/docs/index.json');
    expect(body).toContainEqual(expect.objectContaining({ title: 'GitHub', url: '/docs/integrations/github' }));
  });

  test('The path /openapi.json describes every mounted endpoint', async () => {
    const node = await cluster.node();
    const { body } = await node.call('/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    expect(body.servers).toEqual([{ url: '/' }]);
    expect(body.info.description).toBe('Team chat that speaks the Zulip 2.1 API. Telephony self-service.');
    const mounts = node.open.flatMap(({ product, parts }) => [product.mount?.(parts) ?? []].flat());
    const mounted = mounts.flatMap(({ prefix, routes }) =>
      routes.map(({ method, path }) => `${method} ${prefix}${path.replace(/:(\w+)/g, '{$1}')}`),
    );
    const described = Object.entries<object>(body.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(described).toContain('get /system/company');
    expect(described.sort()).toEqual([...new Set(mounted)].sort());
    const drop = body.paths['/api/v1/events'].delete;
    expect(drop.parameters).toContainEqual(expect.objectContaining({ name: 'queue_id', in: 'query', required: true }));
    expect(drop).not.toHaveProperty('requestBody');
    const login = body.paths['/api/v1/fetch_api_key'].post;
    expect(login.requestBody.content['application/x-www-form-urlencoded'].schema).toEqual({
      type: 'object',
      properties: { username: { type: 'string' }, password: { type: 'string' }, code: { type: 'string' } },
      required: ['username', 'password'],
    });
    expect(login.security).toEqual([]);
    expect(body.paths['/system/company'].get.security).toEqual([{ companyKey: [] }]);
    expect(body.components.securitySchemes).toHaveProperty('basic');
  });
});
