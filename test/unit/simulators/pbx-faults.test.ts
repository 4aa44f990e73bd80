// Each fault of the simulated PBX does exactly what its name says, as often as requested and to no other call.
import fs from 'node:fs';
import { startPbx } from '../../../simulators/pbx/server';
import type { PbxServer } from '../../../simulators/pbx/server';
import { until } from '../../support/until';
import { caller, ONE, temporaryFolder, TWO } from './pbx-process';
import type { Call } from './pbx-process';

const target = `/instances/${ONE}/extensions/101`;

describe('Faults of the simulated PBX', () => {
  let pbx: PbxServer;
  let call: Call;
  const folder = temporaryFolder();

  beforeAll(async () => {
    pbx = await startPbx({ host: '127.0.0.1', port: 0, folder });
    call = caller(pbx.url);
  });

  afterEach(async () => {
    await call('PUT', '/faults', { instance: '*', mode: 'ok' });
    await call('DELETE', `/instances/${ONE}`);
    await call('DELETE', `/instances/${TWO}`);
  });

  afterAll(async () => {
    await pbx.close();
    fs.rmSync(folder, { recursive: true });
  });

  async function held(instance = ONE): Promise<number> {
    return ((await call('GET', `/instances/${instance}/extensions`)).body as unknown[]).length;
  }

  async function statusOf(instance: string, number = 101): Promise<number> {
    return (await call('PUT', `/instances/${instance}/extensions/${number}`, {})).status;
  }

  /** Gives up soon, like a caller with a short deadline. */
  async function putFor(ms: number): Promise<string> {
    return fetch(`${pbx.url}${target}`, { method: 'PUT', body: '{}', signal: AbortSignal.timeout(ms) }).then(
      (reply) => String(reply.status),
      (error: Error) => error.name,
    );
  }

  it('The fault "error" answers 500 with a reason and changes nothing', async () => {
    await call('PUT', '/faults', { instance: ONE, mode: 'error', times: null, delay_ms: 0 });
    const reply = await call('PUT', target, {});
    expect(reply).toMatchObject({ status: 500, body: { error: expect.any(String) as string } });
    expect(await held()).toBe(0);
    expect((await call('GET', target)).status).toBe(500);
    expect((await call('DELETE', target)).status).toBe(500);
  });

  it('The fault "hang" never answers and changes nothing', async () => {
    await call('PUT', '/faults', { instance: ONE, mode: 'hang' });
    expect(await putFor(200)).toBe('TimeoutError');
    expect(await held()).toBe(0);
  });

  it('The fault "reset" cuts the connection and changes nothing', async () => {
    await call('PUT', '/faults', { instance: ONE, mode: 'reset' });
    await expect(call('PUT', target, {})).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(await held()).toBe(0);
  });

  it('The fault "garbage" answers 200 with something that is no JSON and changes nothing', async () => {
    await call('PUT', '/faults', { instance: ONE, mode: 'garbage' });
    const reply = await fetch(`${pbx.url}${target}`, { method: 'PUT', body: '{}' });
    expect(reply.status).toBe(200);
    await expect(reply.json()).rejects.toThrow('not valid JSON');
    expect(await held()).toBe(0);
  });

  it('The fault "trickle" makes the change and sends an answer that never ends', async () => {
    await call('PUT', '/faults', { instance: ONE, mode: 'trickle', times: 1 });
    const reply = await fetch(`${pbx.url}${target}`, {
      method: 'PUT',
      body: JSON.stringify({ name: 'x'.repeat(100) }),
    });
    expect(reply.status).toBe(201);
    const first = (await reply.body!.getReader().read()) as { value: Uint8Array };
    expect(first.value.length).toBeLessThan(20);
    expect(await held()).toBe(1);
  });

  it('The fault "drop-after-apply" makes the change and cuts the connection before the answer', async () => {
    await call('PUT', '/faults', { instance: ONE, mode: 'drop-after-apply', times: 1 });
    await expect(call('PUT', target, { name: 'x' })).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect((await call('GET', target)).body).toEqual({ number: '101', name: 'x' });
    await call('PUT', '/faults', { instance: ONE, mode: 'drop-after-apply', times: 1 });
    await expect(call('DELETE', target)).rejects.toThrow('fetch failed');
    expect(await held()).toBe(0);
  });

  it('The fault "slow" answers correctly, but late', async () => {
    await call('PUT', '/faults', { instance: ONE, mode: 'slow', delay_ms: 150 });
    const start = performance.now();
    expect(await statusOf(ONE)).toBe(201);
    expect(performance.now() - start).toBeGreaterThanOrEqual(145);
  });

  it('The fault "slow" drops a call whose client gave up, unless the fault says late', async () => {
    await call('PUT', '/faults', { instance: ONE, mode: 'slow', delay_ms: 150 });
    expect(await putFor(50)).toBe('TimeoutError');
    // As late as the first one would have been, and later.
    expect(await statusOf(ONE, 102)).toBe(201);
    expect(await held()).toBe(1);
    await call('PUT', '/faults', { instance: ONE, mode: 'slow', delay_ms: 150, late: true });
    expect(await putFor(50)).toBe('TimeoutError');
    expect(await held()).toBe(1);
    await until(held, (count) => count === 2);
  });

  it('The fault "hold" goes on with calls when a fault is next set, and loses their answers if it says late', async () => {
    const struck = async () => ((await call('GET', '/struck')).body as { calls: number }).calls;
    await call('PUT', '/faults', { instance: ONE, mode: 'hold', times: 2, changes: true });
    const answer = statusOf(ONE, 102);
    await until(struck, (calls) => calls === 1);
    expect(await putFor(50)).toBe('TimeoutError');
    expect([await held(), await struck()]).toEqual([0, 2]);
    await call('PUT', '/faults', { instance: ONE, mode: 'ok' });
    expect(await answer).toBe(201);
    await until(struck, (calls) => calls === 0);
    expect(await held()).toBe(2);
    await call('PUT', '/faults', { instance: ONE, mode: 'hold', late: true });
    const lost = expect(call('DELETE', target)).rejects.toThrow('fetch failed');
    await until(struck, (calls) => calls === 1);
    await call('PUT', '/faults', { instance: ONE, mode: 'ok' });
    await lost;
    expect(await held()).toBe(1);
  });

  it('A fault ends by itself after the requested number of times', async () => {
    await call('PUT', '/faults', { instance: ONE, mode: 'error', times: 2 });
    expect((await call('GET', '/faults')).body).toMatchObject([
      { instance: ONE, mode: 'error', times: 2, delay_ms: 0 },
    ]);
    expect(await statusOf(ONE)).toBe(500);
    expect((await call('GET', '/faults')).body).toMatchObject([{ times: 1 }]);
    expect(await statusOf(ONE)).toBe(500);
    expect((await call('GET', '/faults')).body).toEqual([]);
    expect(await statusOf(ONE)).toBe(201);
  });

  it('A fault hits one instance, or all with "*", and the setting of an instance wins', async () => {
    await call('PUT', '/faults', { instance: ONE, mode: 'error' });
    expect([await statusOf(ONE), await statusOf(TWO)]).toEqual([500, 201]);
    await call('PUT', '/faults', { instance: ONE, mode: 'ok' });
    await call('PUT', '/faults', { instance: '*', mode: 'error' });
    expect([await statusOf(ONE), await statusOf(TWO)]).toEqual([201, 500]);
    await call('PUT', '/faults', { instance: ONE, mode: 'error' });
    await call('PUT', '/faults', { instance: '*', mode: 'ok' });
    expect([await statusOf(ONE), await statusOf(TWO)]).toEqual([200, 200]);
  });

  it('A fault does not hit or count the plain list unless told to', async () => {
    await call('PUT', '/faults', { instance: ONE, mode: 'error', times: 1 });
    expect((await call('GET', `/instances/${ONE}/extensions`)).status).toBe(200);
    expect(await statusOf(ONE)).toBe(500);
    await call('PUT', '/faults', { instance: ONE, mode: 'error', times: 1, list: true });
    expect((await call('GET', `/instances/${ONE}/extensions`)).status).toBe(500);
    expect((await call('GET', `/instances/${ONE}/extensions`)).status).toBe(200);
  });

  it('The list of requests says which fault hit a request', async () => {
    await call('PUT', '/faults', { instance: ONE, mode: 'error', times: 1 });
    await call('PUT', target, {});
    const requests = (await call('GET', `/requests?instance=${ONE}`)).body as unknown[];
    expect(requests.at(-1)).toMatchObject({ method: 'PUT', fault: 'error' });
  });

  it.each([
    [{ instance: ONE, mode: 'explode' }],
    [{ instance: 'one', mode: 'error' }],
    [{ mode: 'error' }],
    [{ instance: '*', mode: 'error', times: 0 }],
    [{ instance: '*', mode: 'error', times: 1.5 }],
    [{ instance: '*', mode: 'slow', delay_ms: -1 }],
    [{ instance: '*', mode: 'slow', delay_ms: '9' }],
    [{ instance: '*', mode: 'slow', list: 'yes' }],
  ])('A malformed fault is refused: %j', async (body) => {
    expect((await call('PUT', '/faults', body)).status).toBe(400);
    expect((await call('GET', '/faults')).body).toEqual([]);
  });
});
