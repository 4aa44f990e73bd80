// The simulated PBX stores complete extensions by instance and number, and refuses invalid ones.
import fs from 'node:fs';
import { startPbx } from '../../../simulators/pbx/server';
import type { PbxServer } from '../../../simulators/pbx/server';
import { caller, ONE, temporaryFolder, TWO } from './pbx-process';
import type { Call } from './pbx-process';

describe('Extensions on the simulated PBX', () => {
  let pbx: PbxServer;
  let call: Call;
  const folder = temporaryFolder();

  beforeAll(async () => {
    pbx = await startPbx({ host: '127.0.0.1', port: 0, folder });
    call = caller(pbx.url);
  });

  afterEach(async () => {
    await call('DELETE', `/instances/${ONE}`);
  });

  afterAll(async () => {
    await pbx.close();
    fs.rmSync(folder, { recursive: true });
  });

  it('The simulated PBX answers on /healthz', async () => {
    expect(await call('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('The simulated PBX creates, replaces as a whole, reads and removes an extension', async () => {
    const target = `/instances/${ONE}/extensions/101`;
    expect(await call('GET', target)).toMatchObject({ status: 404 });
    expect(await call('PUT', target, { name: 'Ann', secret: 's3' })).toMatchObject({ status: 201 });
    expect(await call('PUT', target, { name: 'Bob' })).toMatchObject({ status: 200 });
    expect((await call('GET', target)).body).toEqual({ number: '101', name: 'Bob' });
    expect(await call('DELETE', target)).toMatchObject({ status: 200 });
    expect(await call('DELETE', target)).toMatchObject({ status: 404 });
  });

  it('The simulated PBX lists an instance by extension number, and an unknown instance as empty', async () => {
    for (const number of ['1000', '20', '3'])
      await call('PUT', `/instances/${ONE}/extensions/${number}`, { name: 'x' });
    const numbers = (await call('GET', `/instances/${ONE}/extensions`)).body as { number: string }[];
    expect(numbers.map((entry) => entry.number)).toEqual(['3', '20', '1000']);
    expect((await call('GET', `/instances/${TWO}/extensions`)).body).toEqual([]);
    expect((await call('GET', `/instances/${ONE.toUpperCase()}/extensions`)).body).toHaveLength(3);
  });

  it('The simulated PBX keeps the number of an extension as the body gave it', async () => {
    await call('PUT', `/instances/${ONE}/extensions/102`, { number: 102 });
    expect((await call('GET', `/instances/${ONE}/extensions/102`)).body).toEqual({ number: 102 });
  });

  it('The simulated PBX empties one instance', async () => {
    await call('PUT', `/instances/${ONE}/extensions/7`, {});
    expect((await call('DELETE', `/instances/${ONE}`)).body).toEqual({ deleted: 1 });
    expect((await call('GET', `/instances/${ONE}/extensions`)).body).toEqual([]);
  });

  it.each([
    ['a list as the body', 'PUT', `/instances/${ONE}/extensions/1`, []],
    ['null as the body', 'PUT', `/instances/${ONE}/extensions/1`, null],
    ['no JSON', 'PUT', `/instances/${ONE}/extensions/1`, '{'],
    ['another number in the body', 'PUT', `/instances/${ONE}/extensions/1`, { number: '2' }],
    [
      'a body nested too deeply',
      'PUT',
      `/instances/${ONE}/extensions/1`,
      `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`,
    ],
    ['letters for a number', 'PUT', `/instances/${ONE}/extensions/10a`, {}],
    ['sixteen digits', 'PUT', `/instances/${ONE}/extensions/1234567890123456`, {}],
    ['no number at all', 'GET', `/instances/${ONE}/extensions/`, undefined],
    ['something else than a uuid', 'GET', '/instances/one/extensions', undefined],
  ])('The simulated PBX answers 400 with a reason to %s', async (_what, method, target, body) => {
    const reply = await call(method, target, body);
    expect(reply).toMatchObject({ status: 400, body: { error: expect.any(String) as string } });
  });

  it('The simulated PBX answers 404 to an unknown path, 405 to a wrong method and 413 to a huge body', async () => {
    expect((await call('GET', '/nowhere')).status).toBe(404);
    expect((await call('GET', `/instances/${ONE}/extensions/1/more`)).status).toBe(404);
    expect((await call('PATCH', `/instances/${ONE}/extensions/1`)).status).toBe(405);
    expect((await call('POST', `/instances/${ONE}/extensions`)).status).toBe(405);
    const huge = { text: 'x'.repeat(300_000) };
    expect((await call('PUT', `/instances/${ONE}/extensions/1`, huge)).status).toBe(413);
  });

  it('The simulated PBX keeps a field named __proto__ as a plain field', async () => {
    await call('PUT', `/instances/${ONE}/extensions/8`, '{"__proto__": {"polluted": true}, "name": "x"}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((await call('GET', `/instances/${ONE}/extensions/8`)).status).toBe(200);
  });

  it('The simulated PBX remembers the idempotency key of an extension and counts its requests', async () => {
    const target = `/instances/${TWO}/extensions/101`;
    for (let i = 0; i < 3; i++) await call('PUT', target, { name: 'x' }, { 'idempotency-key': 'op-1' });
    expect((await call('GET', target)).headers.get('idempotency-key')).toBe('op-1');
    await call('DELETE', target, undefined, { 'idempotency-key': 'op-2' });

    const requests = (await call('GET', `/requests?instance=${TWO}`)).body;
    const put = { method: 'PUT', instance: TWO, number: '101', idempotency_key: 'op-1' };
    expect(requests).toMatchObject([
      { ...put, key_requests: 1 },
      { ...put, key_requests: 2 },
      { ...put, key_requests: 3, at: expect.stringMatching(/^\d{4}-.*Z$/) as string },
      { method: 'DELETE', instance: TWO, number: '101', idempotency_key: 'op-2', key_requests: 1 },
    ]);
  });

  it('The simulated PBX masks secrets in its list of requests, however deep', async () => {
    const secrets = { secret: 'hush-1', password: 'hush-2', voicemail_vmpwd: 'hush-3' };
    const body = { name: 'Ann', data: secrets, phone: [{ data: { reg: [{ password: 'hush-4' }] } }] };
    await call('PUT', `/instances/${ONE}/extensions/9`, body);
    expect((await call('GET', `/instances/${ONE}/extensions/9`)).body).toEqual({ ...body, number: '9' });
    const requests = JSON.stringify((await call('GET', '/requests')).body);
    expect(requests).toContain('Ann');
    expect(requests).not.toContain('hush');
  });

  it('The simulated PBX lists no more than the last thousand requests', async () => {
    for (let i = 0; i < 25; i++) {
      await Promise.all(
        Array.from({ length: 41 }, (_, j) => call('DELETE', `/instances/${ONE}/extensions/${i * 41 + j}`)),
      );
    }
    const requests = (await call('GET', '/requests')).body as { number: string }[];
    expect(requests).toHaveLength(1000);
    expect(Number(requests.at(-1)?.number)).toBeGreaterThanOrEqual(24 * 41);
  });
});
