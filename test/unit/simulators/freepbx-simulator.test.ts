// Further features of the simulated FreePBX besides the recorded exchanges (test/unit/interop): faults, reloads,
// refusals.
import fs from 'node:fs';
import { startPbx } from '../../../simulators/pbx/server';
import type { PbxServer } from '../../../simulators/pbx/server';
import { until } from '../../support/until';
import { caller, ONE, temporaryFolder } from './pbx-process';
import type { Call, Reply } from './pbx-process';

const BASE = `/freepbx/${ONE}`;
const ADD = 'mutation ($input: addExtensionInput!) { addExtension(input: $input) { status message clientMutationId } }';
const UPDATE = 'mutation ($input: updateExtensionInput!) { updateExtension(input: $input) { status message } }';
const RELOAD = 'mutation { doreload(input: {}) { status message transaction_id } }';

describe('Simulated FreePBX', () => {
  let pbx: PbxServer;
  let call: Call;
  let token = '';
  const folder = temporaryFolder();

  const ask = (query: string, input?: object): Promise<Reply> =>
    call('POST', `${BASE}/admin/api/api/gql`, { query, variables: { input } }, { Authorization: `Bearer ${token}` });
  const refusal = (message: string) => ({ status: 400, body: { errors: [{ message, status: false }] } });
  const fresh = { extensionId: '101', name: 'Ann', email: 'ann@example.com', umEnable: false };
  const whole = { ...fresh, extPassword: 's3cret', vmEnable: false };
  const held = async () => (await call('GET', `/instances/${ONE}/extensions`)).body as { secret: string }[];
  const live = async () =>
    (await call('GET', `${BASE}/simulated/live`)).body as {
      extensions: { name: string }[];
      reloads: number;
      collisions: number;
    };
  const begin = async () =>
    ((await ask(RELOAD)).body as { data: { doreload: { transaction_id: string } } }).data.doreload.transaction_id;
  const state = async (id: string) =>
    (
      (await ask(`{ fetchApiStatus(txnId: "${id}") { status message } }`)).body as {
        data: { fetchApiStatus: { message: string } };
      }
    ).data.fetchApiStatus.message;

  beforeAll(async () => {
    pbx = await startPbx({ host: '127.0.0.1', port: 0, folder });
    call = caller(pbx.url);
  });
  beforeEach(async () => {
    await call('PUT', '/faults', { instance: '*', mode: 'ok' });
    await call('PUT', `${BASE}/simulated/reloads`, {});
    await call('DELETE', `/instances/${ONE}`);
    const form = { grant_type: 'client_credentials', client_id: 'partyline', client_secret: 'freepbx-client-secret' };
    const { body } = await call('POST', `${BASE}/admin/api/api/token`, new URLSearchParams(form).toString());
    token = (body as { access_token: string }).access_token;
  });
  afterAll(async () => {
    await pbx.close();
    fs.rmSync(folder, { recursive: true });
  });

  it('The simulated FreePBX answers 401 to an expired token, and accepts only POST', async () => {
    await call('DELETE', `${BASE}/simulated/tokens`);
    expect(await ask('{ system { version } }')).toMatchObject({
      status: 401,
      body: { hint: 'Access token is invalid' },
    });
    expect((await call('GET', `${BASE}/admin/api/api/gql`)).status).toBe(405);
  });

  it.each([
    ['a query that nobody ever asked', '{ fetchAllValidExtensions(first: 1) { status } }', {}],
    [
      'a mutation that nobody ever asked for',
      'mutation ($input: addCoreUserInput!) { addCoreUser(input: $input) { coreuser { name } } }',
      {
        extension: '1',
        noanswer_cid: '',
        busy_cid: '',
        chanunavail_cid: '',
        noanswer_dest: '',
        busy_dest: '',
        chanunavail_dest: '',
      },
    ],
    ['a mailbox without a pin', ADD, { ...fresh, vmEnable: true }],
    ['a value that was never seen', '{ system { guiMode } }', {}],
  ])('The simulated FreePBX answers 501 to %s, which was never recorded, and remembers it', async (_, query, input) => {
    const loud = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const before = ((await call('GET', '/unrecorded')).body as string[]).length;
    expect(await ask(query, input)).toMatchObject({
      status: 501,
      body: { error: expect.stringContaining('was ever recorded') as string },
    });
    expect((await call('GET', '/unrecorded')).body).toHaveLength(before + 1);
    expect(loud).toHaveBeenCalled();
    loud.mockRestore();
  });

  it('The simulated FreePBX shows pages of all extensions', async () => {
    for (const extensionId of ['101', '102', '103']) await ask(ADD, { ...fresh, extensionId });
    const after = Buffer.from('arrayconnection:0').toString('base64');
    const list = `{ fetchAllExtensions(first: 1, after: "${after}") { status totalCount count extension { extensionId } } }`;
    expect((await ask(list)).body).toEqual({
      data: { fetchAllExtensions: { status: true, totalCount: 3, count: 3, extension: [{ extensionId: '102' }] } },
    });
  });

  it('The simulated FreePBX applies changes to Asterisk by a reload in the background', async () => {
    await ask(ADD, fresh);
    expect((await live()).extensions).toEqual([]);
    // Long enough to be seen on a busy machine.
    await call('PUT', `${BASE}/simulated/reloads`, { takes_ms: 2000 });
    const id = await begin();
    expect(await state(id)).toBe('Processing');
    await until(
      () => state(id),
      (said) => said === 'Executed',
    );
    expect((await live()).extensions).toMatchObject([{ name: 'Ann' }]);
  });

  it('The simulated FreePBX lets one of two concurrent reloads fail', async () => {
    await call('PUT', `${BASE}/simulated/reloads`, { takes_ms: 500 });
    const ids = [await begin(), await begin()];
    const states = await until(
      () => Promise.all(ids.map(state)),
      (all) => !all.includes('Processing'),
    );
    expect(states.toSorted()).toEqual(['Executed', 'Failed']);
    expect((await live()).collisions).toBe(1);
  });

  it('The simulated FreePBX supports the same faults, and may do half of an update or only claim success', async () => {
    const fault = (mode: string) => call('PUT', '/faults', { instance: ONE, mode, times: 1 });
    await fault('error');
    expect(await ask(ADD, fresh)).toMatchObject(refusal('Failed to create extension'));
    await fault('drop-after-apply');
    await expect(ask(ADD, fresh)).rejects.toThrow('fetch failed');
    expect(await held()).toHaveLength(1);
    await fault('only-say-yes');
    expect(await ask(UPDATE, whole)).toMatchObject({
      status: 200,
      body: { data: { updateExtension: { status: true } } },
    });
    expect((await held())[0]?.secret).not.toBe('s3cret');
    await fault('half-apply');
    expect(await ask(UPDATE, whole)).toMatchObject(refusal('Sorry could not update the extension'));
    expect(await held()).toEqual([]);
  });

  it('The simulated FreePBX never keeps a secret in its list of requests', async () => {
    await ask(ADD, fresh);
    await ask(UPDATE, { ...whole, extPassword: 'canary-one', vmPassword: 'canary-two' });
    expect(JSON.stringify((await call('GET', '/requests')).body)).not.toContain('canary');
  });
});
