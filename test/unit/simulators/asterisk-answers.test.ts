// The simulated Asterisk answers every recorded request as the real one did, and refuses all others.
import fs from 'node:fs';
import { randomUUID } from 'node:crypto';
import { play } from '../../support/telephony/asterisk/exchanges';
import { recorded } from '../../../simulators/pbx/asterisk/recorded';
import { startPbx } from '../../../simulators/pbx/server';
import type { PbxServer } from '../../../simulators/pbx/server';
import { caller, ONE, temporaryFolder } from './pbx-process';
import type { Call, Reply } from './pbx-process';

const ARI = `/asterisk/${ONE}/ari`;
const PJSIP = `${ARI}/asterisk/config/dynamic/res_pjsip`;
const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const USER = basic('partyline:ari-password');
const credentials = { partyline: 'partyline:ari-password', reader: 'reader:ari-reader', nobody: 'nobody:wrong' };

describe('Simulated Asterisk', () => {
  let pbx: PbxServer;
  let call: Call;
  const folder = temporaryFolder();
  let loud: jest.SpyInstance;
  const ask = (method: string, path: string, fields?: Record<string, string>): Promise<Reply> => {
    const list = Object.entries(fields ?? {}).map(([attribute, value]) => ({ attribute, value }));
    return call(method, path, fields && { fields: list }, USER);
  };

  beforeAll(async () => {
    loud = jest.spyOn(console, 'error').mockImplementation(() => {});
    pbx = await startPbx({ host: '127.0.0.1', port: 0, folder });
    call = caller(pbx.url);
  });
  afterEach(async () => {
    await call('PUT', '/faults', { instance: '*', mode: 'ok' });
    await call('PUT', `/asterisk/${ONE}/simulated/phase`, { phase: 'up' });
    await call('DELETE', `/instances/${ONE}`);
  });
  afterAll(async () => {
    loud.mockRestore();
    await pbx.close();
    fs.rmSync(folder, { recursive: true });
  });

  const inDatabase = recorded.scenarios.filter(({ keptIn }) => keptIn === 'astdb');
  it.each(inDatabase)('The simulated Asterisk answers as recorded: $title', async ({ steps }) => {
    const instance = randomUUID();
    const restart = async () => void (await call('PUT', `/asterisk/${instance}/simulated/restart`));
    const target = { url: `${pbx.url}/asterisk/${instance}`, credentials, restart };
    for (const step of steps) {
      const { status, shown, answer, reset } = step;
      const came = await play(target, step, recorded.defaults);
      expect({ step, ...came }).toEqual({ step, status, shown, answer, reset });
    }
  });

  it.each([
    ['PUT', `${PJSIP}/endpoint/101`, { allow: 'ulaw', dtmf_mode: 'whistled' }, 'dtmf_mode = "whistled"'],
    ['PUT', `${PJSIP}/endpoint/101`, { allow: 'ulaw', set_var: 'A=b' }, 'set_var = "A=b"'],
    ['PUT', `${PJSIP}/endpoint/101`, { allow: 'ulaw', language: 'de' }, 'language = "de"'],
    ['GET', `${ARI}/channels`, undefined, 'GET /ari/channels'],
  ] as const)(
    'The request %s %s is refused with a logged error, because it was never recorded',
    async (method, path, fields, said) => {
      const { status, body } = await ask(method, path, fields);
      expect(status).toBe(501);
      expect(body).toEqual({ message: expect.stringContaining(said) as string });
      expect((await call('GET', '/unrecorded')).body).toContainEqual(expect.stringContaining(said));
      expect(loud).toHaveBeenCalledWith(expect.stringContaining(said));
    },
  );

  it('The simulated Asterisk answers 404 while it starts, then that it is not booted', async () => {
    await ask('PUT', `${PJSIP}/aor/101`, { max_contacts: '1' });
    await call('PUT', `/asterisk/${ONE}/simulated/phase`, { phase: 'no-ari' });
    const page = await fetch(`${pbx.url}${PJSIP}/aor/101`, { method: 'DELETE', headers: USER });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html']);
    expect(await page.text()).toContain('<h1>Not Found</h1>');
    await call('PUT', `/asterisk/${ONE}/simulated/phase`, { phase: 'not-booted' });
    expect(await ask('GET', `${PJSIP}/aor/101`)).toMatchObject({
      status: 503,
      body: { message: 'Asterisk not booted' },
    });
    await call('PUT', `/asterisk/${ONE}/simulated/phase`, { phase: 'up' });
    expect((await ask('GET', `${PJSIP}/aor/101`)).status).toBe(200);
  });

  it('The simulated Asterisk shows where phones are, and forgets a phone with its aor', async () => {
    await ask('PUT', `${PJSIP}/aor/101`, { max_contacts: '1' });
    await ask('PUT', `${PJSIP}/endpoint/101`, { allow: 'ulaw' });
    await call('PUT', `/asterisk/${ONE}/simulated/online/101`);
    const state = async () => ((await ask('GET', `${ARI}/endpoints/PJSIP/101`)).body as { state: string }).state;
    expect(await state()).toBe('online');
    await ask('DELETE', `${PJSIP}/aor/101`);
    expect(await state()).toBe('offline');
  });

  it('The simulated Asterisk supports the same faults, and its list of requests contains no secret', async () => {
    const path = `${PJSIP}/auth/101`;
    const fields = { auth_type: 'userpass', username: '101', password: 'canary' };
    await call('PUT', '/faults', { instance: ONE, mode: 'error', times: 1 });
    expect(await ask('PUT', path, fields)).toMatchObject({ status: 500, body: { error: 'Allocation failed' } });
    expect((await ask('GET', path)).status).toBe(404);
    await call('PUT', '/faults', { instance: ONE, mode: 'drop-after-apply', times: 1 });
    await expect(ask('PUT', path, fields)).rejects.toThrow('fetch failed');
    expect((await call('GET', `/instances/${ONE}/extensions`)).body).toMatchObject([
      { number: 101, secret: 'canary', is_whole: false },
    ]);
    expect(JSON.stringify((await call('GET', '/requests')).body)).not.toContain('canary');
  });
});
