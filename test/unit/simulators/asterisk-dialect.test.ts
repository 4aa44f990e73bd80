// The Asterisk dialect answers push configuration as Asterisk's REST interface does.
import fs from 'node:fs';
import { startPbx } from '../../../simulators/pbx/server';
import type { PbxServer } from '../../../simulators/pbx/server';
import { caller, ONE, temporaryFolder } from './pbx-process';
import type { Call, Reply } from './pbx-process';

const ARI = `/asterisk/${ONE}/ari`;
const DYNAMIC = `${ARI}/asterisk/config/dynamic`;
const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const USER = basic('partyline:ari-password');

describe('the Asterisk dialect', () => {
  let pbx: PbxServer;
  let call: Call;
  const folder = temporaryFolder();
  const ask = (method: string, path: string, fields?: Record<string, string>): Promise<Reply> => {
    const list = Object.entries(fields ?? {}).map(([attribute, value]) => ({ attribute, value }));
    return call(method, path, fields && { fields: list }, USER);
  };
  const valueOf = ({ body }: Reply, name: string) =>
    (body as { attribute: string; value: string }[]).find(({ attribute }) => attribute === name)?.value;

  beforeAll(async () => {
    pbx = await startPbx({ host: '127.0.0.1', port: 0, folder });
    call = caller(pbx.url);
  });
  afterEach(async () => {
    await call('PUT', '/faults', { instance: '*', mode: 'ok' });
    await call('DELETE', `/instances/${ONE}`);
  });
  afterAll(async () => {
    await pbx.close();
    fs.rmSync(folder, { recursive: true });
  });

  it('PUT makes an object and answers all of its attributes; again, it changes what is named', async () => {
    const path = `${DYNAMIC}/res_pjsip/auth/101`;
    const made = await ask('PUT', path, { auth_type: 'userpass', username: '101', password: 'one' });
    expect(made.status).toBe(200);
    expect([valueOf(made, 'password'), valueOf(made, 'realm')]).toEqual(['one', '']);
    const changed = await ask('PUT', path, { password: 'two' });
    expect([valueOf(changed, 'username'), valueOf(changed, 'password')]).toEqual(['101', 'two']);
    expect((await ask('GET', path)).body).toEqual(changed.body);
  });

  it('DELETE answers 204 with nothing, then 404; GET of what is not there is 404', async () => {
    const path = `${DYNAMIC}/res_pjsip/aor/101`;
    await ask('PUT', path, { max_contacts: '1' });
    expect(await ask('DELETE', path)).toMatchObject({ status: 204, body: undefined });
    const missing = { status: 404, body: { message: expect.stringContaining('101') as string } };
    expect(await ask('DELETE', path)).toMatchObject(missing);
    expect(await ask('GET', path)).toMatchObject(missing);
  });

  it.each([
    ['a value that is none', 'res_pjsip/endpoint/101', { dtmf_mode: 'whistled' }, 400, 'failed field value validation'],
    ['an attribute that is none', 'res_pjsip/aor/101', { colour: 'red' }, 400, 'failed field value validation'],
    [
      'a type of a read-only wizard',
      'res_pjsip/transport/udp',
      { x: 'y' },
      403,
      'Cannot create/update sorcery objects of type',
    ],
    ['an unknown type', 'res_pjsip/lamp/1', { x: 'y' }, 404, 'object type'],
    ['an unknown class', 'res_lamp/endpoint/1', { x: 'y' }, 404, 'configuration class'],
  ])('PUT of %s is refused', async (...row) => {
    const [, path, fields, status, message] = row;
    expect(await ask('PUT', `${DYNAMIC}/${path}`, fields)).toMatchObject({
      status,
      body: { message: expect.stringContaining(message) as string },
    });
  });

  it('wants a user by Basic or api_key, and one that may write', async () => {
    const ping = `${ARI}/asterisk/ping`;
    const nobody = await call('GET', ping);
    expect(nobody).toMatchObject({ status: 401, body: { message: expect.any(String) as string } });
    expect(nobody.headers.get('www-authenticate')).toMatch(/^Basic/);
    expect((await call('GET', ping, undefined, basic('partyline:wrong'))).status).toBe(401);
    expect((await call('GET', `${ping}?api_key=partyline:ari-password`)).body).toMatchObject({ ping: 'pong' });
    const reader = basic('reader:ari-reader');
    expect((await call('GET', ping, undefined, reader)).status).toBe(200);
    expect((await call('DELETE', `${DYNAMIC}/res_pjsip/aor/1`, undefined, reader)).status).toBe(403);
  });

  it('lists endpoints with their state, and reloads modules', async () => {
    await ask('PUT', `${DYNAMIC}/res_pjsip/endpoint/101`, { context: 'from-internal' });
    await ask('PUT', `${DYNAMIC}/res_pjsip/auth/102`, { username: '102' });
    await call('PUT', `/asterisk/${ONE}/simulated/online/101`);
    expect((await ask('GET', `${ARI}/endpoints/PJSIP`)).body).toEqual([
      { technology: 'PJSIP', resource: '101', state: 'online', channel_ids: [] },
    ]);
    expect((await ask('PUT', `${ARI}/asterisk/modules/res_pjsip.so`)).status).toBe(204);
    expect((await ask('PUT', `${ARI}/asterisk/modules/res_lamp.so`)).status).toBe(404);
    expect((await ask('GET', `${ARI}/asterisk/info?only=system,status`)).body).toMatchObject({
      system: { version: expect.any(String) as string },
    });
  });

  it('misbehaves by the same faults, keeps its objects, and no secret in the list of requests', async () => {
    const path = `${DYNAMIC}/res_pjsip/auth/101`;
    await call('PUT', '/faults', { instance: ONE, mode: 'error', times: 1 });
    expect(await ask('PUT', path, { password: 'canary' })).toMatchObject({
      status: 500,
      body: { message: expect.any(String) as string },
    });
    expect((await ask('GET', path)).status).toBe(404);
    await call('PUT', '/faults', { instance: ONE, mode: 'drop-after-apply', times: 1 });
    await expect(ask('PUT', path, { password: 'canary' })).rejects.toThrow('fetch failed');
    expect((await call('GET', `/instances/${ONE}/extensions`)).body).toMatchObject([
      { number: 101, secret: 'canary', is_whole: false },
    ]);
    expect(JSON.stringify((await call('GET', '/requests')).body)).not.toContain('canary');
  });
});
