// The FreePBX dialect says, word for word, what FreePBX 16 and 17 say on the wire.
import fs from 'node:fs';
import { startPbx } from '../../../simulators/pbx/server';
import type { PbxServer } from '../../../simulators/pbx/server';
import { until } from '../../support/until';
import { caller, ONE, temporaryFolder } from './pbx-process';
import type { Call, Reply } from './pbx-process';

const BASE = `/freepbx/${ONE}`;
const GQL = `${BASE}/admin/api/api/gql`;
const TOKEN = `${BASE}/admin/api/api/token`;
const ADD = 'mutation ($input: addExtensionInput!) { addExtension(input: $input) { status message clientMutationId } }';
const UPDATE = 'mutation ($input: updateExtensionInput!) { updateExtension(input: $input) { status message } }';
const DELETE = 'mutation { deleteExtension(input: {extensionId: 101}) { status message } }';
const FETCH =
  'query { fetchExtension(extensionId: 101) { status message tech user { name outboundCid extPassword voicemail } } }';

describe('the FreePBX dialect', () => {
  let pbx: PbxServer;
  let call: Call;
  let token = '';
  const folder = temporaryFolder();

  const grant = (form: Record<string, string>) => call('POST', TOKEN, new URLSearchParams(form).toString());
  const good = { grant_type: 'client_credentials', client_id: 'partyline', client_secret: 'freepbx-client-secret' };
  const ask = (query: string, input?: object): Promise<Reply> =>
    call('POST', GQL, { query, variables: { input } }, { Authorization: `Bearer ${token}` });
  const refusal = (message: string) => ({ status: 400, body: { errors: [{ message, status: false }] } });
  const fresh = { extensionId: '101', name: 'Ann', email: 'ann@example.com', umEnable: false };
  const held = async () => (await call('GET', `/instances/${ONE}/extensions`)).body as { secret: string }[];
  const live = async () =>
    (await call('GET', `${BASE}/simulated/live`)).body as { extensions: { name: string }[]; reloads: number };

  beforeAll(async () => {
    pbx = await startPbx({ host: '127.0.0.1', port: 0, folder });
    call = caller(pbx.url);
  });
  beforeEach(async () => {
    await call('PUT', '/faults', { instance: '*', mode: 'ok' });
    await call('DELETE', `/instances/${ONE}`);
    token = ((await grant(good)).body as { access_token: string }).access_token;
  });
  afterAll(async () => {
    await pbx.close();
    fs.rmSync(folder, { recursive: true });
  });

  it('gives a token for an hour against client credentials, and nothing to refresh it with', async () => {
    const { status, body } = await grant({ ...good, scope: 'gql:core gql:framework' });
    expect(status).toBe(200);
    expect(body).toEqual({ token_type: 'Bearer', expires_in: 3600, access_token: expect.any(String) as string });
  });

  it.each([
    [{ ...good, client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ ...good, grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [{ ...good, scope: 'everything' }, 400, 'invalid_scope'],
  ])('refuses a token for %j', async (form, status, error) => {
    expect(await grant(form)).toMatchObject({ status, body: { error, hint: expect.any(String) as string } });
  });

  it('answers 401 without a token and with one whose hour is over; only POST is answered', async () => {
    await call('DELETE', `${BASE}/simulated/tokens`);
    expect(await ask(FETCH)).toMatchObject({ status: 401, body: { error: 'access_denied' } });
    expect((await call('GET', GQL)).status).toBe(405);
  });

  it('adds an extension with a secret of its own making, and a user unless told otherwise', async () => {
    expect(await ask(ADD, { ...fresh, clientMutationId: 'one' })).toMatchObject({
      status: 200,
      body: {
        data: {
          addExtension: { status: true, message: 'Extension has been created Successfully', clientMutationId: 'one' },
        },
      },
    });
    expect(await held()).toMatchObject([
      { number: 101, name: 'Ann', has_user: false, secret: expect.stringMatching(/^[0-9a-f]{32}$/) as string },
    ]);
    const requests = (await call('GET', `/requests?instance=${ONE}`)).body as object[];
    expect(requests.at(-1)).toMatchObject({ method: 'addExtension', number: '101', idempotency_key: 'one' });
  });

  it.each([
    [
      'a secret, which it does not take',
      { ...fresh, extPassword: 'x' },
      'Field "extPassword" is not defined by type addExtensionInput.',
    ],
    [
      'no address',
      { extensionId: '101', name: 'Ann' },
      'Field addExtensionInput.email of required type was not provided.',
    ],
    ['letters', { ...fresh, extensionId: '10a' }, 'Please enter only numeric values'],
    ['another tech', { ...fresh, tech: 'h323' }, 'The existing driver not support this tech'],
    ['a user without password', { ...fresh, umEnable: true }, 'Please provide the umPassword'],
    ['a number where a text belongs', { ...fresh, maxContacts: 3 }, 'Expected type string; got 3'],
  ])('addExtension with %s is a 400 like every other', async (_, input, message) => {
    expect(await ask(ADD, input)).toMatchObject(refusal(message));
    expect(await held()).toEqual([]);
  });

  it('addExtension of a number that is there says so', async () => {
    await ask(ADD, fresh);
    expect(await ask(ADD, fresh)).toMatchObject(refusal('This device id is already in use'));
  });

  it('updateExtension sets the secret, and lets what it does not name fall back to the default', async () => {
    await ask(ADD, { ...fresh, maxContacts: '5', vmEnable: false, emergencyCid: '911' });
    expect(await ask(UPDATE, { extensionId: '101', extPassword: 's3cret', name: 'Bea' })).toMatchObject({
      status: 200,
      body: { data: { updateExtension: { status: true, message: 'Extension has been updated' } } },
    });
    expect(await held()).toMatchObject([
      { name: 'Bea', secret: 's3cret', max_contacts: '1', voicemail: 'default', emergency_cid: '' },
    ]);
  });

  it('says of an extension that is not there, in two spellings', async () => {
    expect(await ask(UPDATE, { extensionId: '101' })).toMatchObject(refusal('Extension does not exists.'));
    expect(await ask(DELETE)).toMatchObject(refusal('Extension does not exists.'));
    expect(await ask(FETCH)).toMatchObject(refusal('Extension does not exists'));
  });

  it('shows one extension, and pages of all', async () => {
    for (const extensionId of ['101', '102', '103']) await ask(ADD, { ...fresh, extensionId });
    const [first] = await held();
    expect(await ask(FETCH)).toMatchObject({
      status: 200,
      body: { data: { fetchExtension: { tech: 'pjsip', user: { name: 'Ann', extPassword: first?.secret } } } },
    });
    const after = Buffer.from('arrayconnection:0').toString('base64');
    const list = `{ fetchAllExtensions(first: 1, after: "${after}") { status totalCount count extension { extensionId } } }`;
    expect((await ask(list)).body).toEqual({
      data: { fetchAllExtensions: { status: true, totalCount: 3, count: 1, extension: [{ extensionId: '102' }] } },
    });
  });

  it.each([
    ['{ fetchExtension(extensionId: 101) { colour } }', 'Extension does not exists'],
    ['{ system { colour } }', 'Cannot query field "colour" on type "system".'],
    ['{ nonsense { status } }', 'Cannot query field "nonsense" on type "Query".'],
    ['mutation { nonsense(input: {}) { status } }', 'Cannot query field "nonsense" on type "Mutation".'],
    ['{ system { version ', 'Syntax Error: Expected more, found <EOF>.'],
  ])('%s is a 400', async (query, message) => {
    expect(await ask(query)).toMatchObject(refusal(message));
  });

  it('changes reach Asterisk by a reload, which goes on in the background', async () => {
    await ask(ADD, fresh);
    expect((await ask('{ system { version engine needReload } }')).body).toMatchObject({
      data: { system: { engine: 'asterisk', needReload: true } },
    });
    expect((await live()).extensions).toEqual([]);
    // Long enough to be seen on a busy machine.
    await call('PUT', `${BASE}/simulated/reloads`, { takes_ms: 2000 });
    const { body } = await ask('mutation { doreload(input: {}) { status message transaction_id } }');
    const { transaction_id: id } = (body as { data: { doreload: { transaction_id: string } } }).data.doreload;
    const state = async () =>
      (
        (await ask(`{ fetchApiStatus(txnId: "${id}") { status message } }`)).body as {
          data: { fetchApiStatus: { message: string } };
        }
      ).data.fetchApiStatus.message;
    expect(await state()).toBe('Processing');
    await until(state, (said) => said === 'Executed');
    expect((await live()).extensions).toMatchObject([{ name: 'Ann' }]);
  });

  it('misbehaves by the same faults: an error is a 400 too, and an update may stop half-way', async () => {
    await call('PUT', '/faults', { instance: ONE, mode: 'error', times: 1 });
    expect(await ask(ADD, fresh)).toMatchObject(refusal('Failed to create extension'));
    await call('PUT', '/faults', { instance: ONE, mode: 'drop-after-apply', times: 1 });
    await expect(ask(ADD, fresh)).rejects.toThrow('fetch failed');
    expect(await held()).toHaveLength(1);
    await call('PUT', '/faults', { instance: ONE, mode: 'half-apply', times: 1 });
    expect(await ask(UPDATE, { extensionId: '101' })).toMatchObject(refusal('Sorry could not update the extension'));
    expect(await held()).toEqual([]);
  });

  it('never keeps a secret in the list of requests', async () => {
    await ask(ADD, fresh);
    await ask(UPDATE, { extensionId: '101', extPassword: 'canary-one', vmPassword: 'canary-two' });
    expect(JSON.stringify((await call('GET', '/requests')).body)).not.toContain('canary');
  });
});
