import { gzipSync } from 'node:zlib';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { bearer, type Ask } from '../../support/http/client';
import { probe } from '../../support/processes/probe/product';
import { productsOf } from '../../../src/products';

let cluster: Cluster;
let node: TestNode;

beforeAll(async () => {
  cluster = await openCluster({ LOGIN_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node({}, (config) => [...productsOf(config), probe]);
});
afterAll(() => cluster.close());

const KEY = '/api/v1/dev_fetch_api_key';
const chatError = (status: number, msg: unknown, more: object = {}) => ({
  status,
  body: { result: 'error', msg, ...more },
});
const problem = (status: number) => ({
  status,
  body: { type: 'about:blank', status, title: expect.any(String), detail: expect.any(String) },
});
const json = (raw: string | Uint8Array, headers: Record<string, string> = {}): Ask => ({
  method: 'POST',
  raw,
  headers: { 'Content-Type': 'application/json', ...headers },
});

describe('Unknown paths', () => {
  test('An unknown path is answered in the envelope of the product it belongs to', async () => {
    expect(await node.call('/api/v1/nothing/here')).toMatchObject(
      chatError(404, expect.stringContaining('/api/v1/nothing/here')),
    );
    expect(await node.call('/nothing/here')).toMatchObject(problem(404));
    expect(await node.call('/api/v10/messages')).toMatchObject(problem(404));
  });
});

describe('Wrong methods', () => {
  test('A wrong method gets 405 with the methods that are allowed', async () => {
    const chat = await node.call('/api/v1/server_settings', { method: 'POST' });
    expect(chat).toMatchObject(chatError(405, 'Method Not Allowed', { allowed_methods: ['GET', 'HEAD'] }));
    expect(chat.headers.get('allow')).toBe('GET, HEAD');
    const telephony = await node.call('/system/company', { method: 'DELETE' });
    expect(telephony).toMatchObject(problem(405));
    expect(telephony.headers.get('allow')).toBe('GET, HEAD');
  });

  test('OPTIONS lists the methods that are allowed, and HEAD works wherever GET does', async () => {
    const options = await node.call('/api/v1/server_settings', { method: 'OPTIONS' });
    expect(options.status).toBe(204);
    expect(options.headers.get('allow')).toBe('GET, HEAD');
    expect(options.headers.get('access-control-allow-origin')).toBe('*');
    const head = await node.call('/api/v1/server_settings', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });
});

describe('Broken bodies', () => {
  test('A body that cannot be parsed gets 400 in the envelope of its product', async () => {
    expect(await node.call(KEY, json('{"username": '))).toMatchObject(
      chatError(400, 'Malformed JSON', { code: 'INVALID_JSON' }),
    );
    expect(await node.call('/probe/events', json('{"body": '))).toMatchObject(problem(400));
    expect(
      await node.call(KEY, { method: 'POST', raw: 'x', headers: { 'Content-Type': 'multipart/form-data' } }),
    ).toMatchObject(chatError(400, 'Malformed form data'));
    expect(
      await node.call(KEY, {
        method: 'POST',
        raw: '--b\r\nnonsense',
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      }),
    ).toMatchObject({ status: 400, body: { result: 'error' } });
  });

  test('A broken body without credentials gets 401, not 400', async () => {
    expect((await node.call('/probe/guarded', json('{"'))).status).toBe(401);
    expect((await node.call('/probe/guarded', json('{"', bearer('demo-key-one')))).status).toBe(400);
  });

  test('A body that is too large gets 413', async () => {
    const large = 'x'.repeat(300_000);
    expect(await node.call(KEY, json(JSON.stringify({ username: large })))).toMatchObject(
      chatError(413, expect.any(String)),
    );
    expect(await node.call(KEY, { form: { username: large } })).toMatchObject(chatError(413, expect.any(String)));
    const form = new FormData();
    form.set('username', large);
    expect(await node.call(KEY, { method: 'POST', raw: form })).toMatchObject(chatError(413, expect.any(String)));
    expect(await node.call('/probe/events', json(JSON.stringify({ body: large })))).toMatchObject(problem(413));
  });

  test('A compressed body that grows too large gets 413, and an unknown compression gets 415', async () => {
    const bomb = gzipSync(JSON.stringify({ username: 'x'.repeat(5_000_000) }));
    expect((await node.call(KEY, json(bomb, { 'Content-Encoding': 'gzip' }))).status).toBe(413);
    expect((await node.call(KEY, json('{}', { 'Content-Encoding': 'zstd' }))).status).toBe(415);
  });

  test('A form with 1000 fields is read, and one with more gets 400', async () => {
    const fields = Array.from({ length: 999 }, (_, field) => [`f${field}`, 'x']);
    const full = [...fields, ['username', 'nobody@example.com']];
    const encodings = [
      (pairs: string[][]) => ({ form: Object.fromEntries(pairs) as Record<string, string> }),
      (pairs: string[][]) => {
        const raw = new FormData();
        for (const [name, value] of pairs) raw.set(name!, value!);
        return { method: 'POST', raw };
      },
    ];
    for (const encode of encodings) {
      expect((await node.call(KEY, encode(full))).body.var_name).not.toBe('username');
      expect(await node.call(KEY, encode([['one', 'more'], ...full]))).toMatchObject(
        chatError(400, 'The form has more than 1000 fields', { code: 'BAD_REQUEST' }),
      );
    }
  });

  test('JSON that nests too deeply gets 400, in a body and in a field', async () => {
    // As deep as fits into an unauthenticated body.
    const deep = '['.repeat(8000) + ']'.repeat(8000);
    expect(await node.call(KEY, json(`{"username": ${deep}}`))).toMatchObject(
      chatError(400, expect.stringContaining('levels deep')),
    );
    expect(await node.call('/probe/events', json(`{"body": ${deep}}`))).toMatchObject(problem(400));
  });

  test('No body can reach the prototypes of objects', async () => {
    for (const raw of [
      '{"__proto__": {"username": "member@example.com"}}',
      '{"constructor": {"prototype": {"username": "x"}}}',
    ]) {
      expect((await node.call(KEY, json(raw))).status).toBe(400);
    }
    expect((await node.call(KEY, { form: { '__proto__[username]': 'member@example.com' } })).status).toBe(400);
    expect(({} as Record<string, unknown>)['username']).toBeUndefined();
  });
});

describe('Parameters', () => {
  test('A value of the wrong type gets 400 that names the parameter', async () => {
    expect(await node.call(KEY, { json: { username: { $ne: null } } })).toMatchObject(
      chatError(400, `Bad value for 'username': {"$ne":null}`, {
        code: 'REQUEST_VARIABLE_INVALID',
        var_name: 'username',
      }),
    );
    expect(await node.call('/probe/events', { json: { body: ['a', { b: 1 }] } })).toMatchObject(problem(400));
    expect((await node.call('/probe/events', { json: {} })).body.detail).toContain('body');
  });

  test('The last value of a parameter that is given twice counts', async () => {
    const answer = await node.call(KEY, {
      method: 'POST',
      raw: 'username=nobody%40example.com&username=member%40example.com',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.body.email).toBe('member@example.com');
  });

  test('A parameter of the query counts too, and one of the body takes precedence', async () => {
    const query = { username: 'owner@example.com' };
    expect((await node.call(KEY, { method: 'POST', query })).body.email).toBe('owner@example.com');
    expect((await node.call(KEY, { query, form: { username: 'member@example.com' } })).body.email).toBe(
      'member@example.com',
    );
  });
});

describe('Headers of every response', () => {
  test("Every response has a request id, which is the caller's own if it is harmless", async () => {
    const given = await node.call('/api/v1/server_settings', { headers: { 'X-Request-Id': 'trace-1.2:3' } });
    expect(given.headers.get('x-request-id')).toBe('trace-1.2:3');
    const made = await node.call('/system/company', { headers: { 'X-Request-Id': 'no "good' } });
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('Every response carries headers against sniffing and framing', async () => {
    for (const path of ['/api/v1/users/me', '/system/company', '/docs', '/healthz']) {
      const { headers } = await node.call(path, { headers: bearer('demo-key-one') });
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });
});

test('A response that cannot be sent becomes a 500 without details, and the node continues', async () => {
  const answer = await node.call('/probe/unsendable');
  expect(answer.headers.get('x-lines')).toBeNull();
  expect(answer).toMatchObject({ status: 500, body: { status: 500, detail: 'Internal server error' } });
  expect((await node.call('/api/v1/server_settings')).status).toBe(200);
});
