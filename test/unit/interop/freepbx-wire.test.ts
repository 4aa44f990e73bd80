import { openFreePbxTarget, type FreePbxTarget } from '../../support/freepbx-target';
import { until } from '../../support/until';
import { recordedExchanges } from './freepbx-exchanges';

let target: FreePbxTarget;
const first = Number(process.env['INTEROP_FREEPBX_FROM'] ?? 7000);
const DELETE = 'mutation ($input: deleteExtensionInput!) { deleteExtension(input: $input) { status message } }';
const RELOAD = 'mutation { doreload(input: {}) { status message transaction_id } }';
const STATE = 'query ($id: ID!) { fetchApiStatus(txnId: $id) { status message } }';
const LIST =
  'query ($first: Int, $after: String) { fetchAllExtensions(first: $first, after: $after) { status totalCount count edges { node { id } } extension { extensionId } } }';

beforeAll(async () => {
  target = await openFreePbxTarget();
});
afterAll(async () => {
  // Whatever a failed case has left on somebody's FreePBX.
  for (const number of [1, 3, 4]) await target.ask(DELETE, { input: { extensionId: String(first + number) } });
  await target.close();
});

describe('a token', () => {
  test('lasts an hour, and nothing is given to refresh it with', async () => {
    const body = {
      token_type: 'Bearer',
      expires_in: 3600,
      access_token: expect.stringMatching(/^[^.]+\.[^.]+\.[^.]+$/),
    };
    expect(await target.token()).toEqual({ status: 200, body });
  });

  test.each([
    ['a wrong secret', { client_secret: 'wrong' }],
    ['another grant type', { grant_type: 'password' }],
  ])('is refused to %s', async (_, form) => {
    const body = { error: 'invalid_client', message: 'Client authentication failed' };
    expect(await target.token(form)).toEqual({ status: 401, body });
  });

  test('is refused for an unknown scope, which the hint names', async () => {
    expect(await target.token({ scope: 'nosuch' })).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_scope',
        hint: 'Check the `nosuch` scope',
      },
    });
  });

  test.each([
    ['none', null, 'Missing "Authorization" header'],
    ['no JWT', 'Bearer nonsense', 'The JWT string must have two dots'],
  ])('is wanted by every call: %s is 401', async (_, authorization, hint) => {
    const reply = await target.ask('query { system { version } }', {}, authorization);
    expect(reply).toMatchObject({ status: 401, body: { error: 'access_denied', hint } });
  });
});

describe('a recorded exchange is answered as FreePBX 16 answered it', () => {
  test.each(recordedExchanges(first))('$title', async ({ query, variables, status, body }) => {
    expect(await target.ask(query, variables)).toEqual({ status, body });
  });
});

describe('lists and reloads', () => {
  test('A list counts all extensions, not those of its page, and has no edges.', async () => {
    const { body } = await target.ask(LIST, { first: 0 });
    const { fetchAllExtensions: list } = (body as { data: { fetchAllExtensions: Record<string, unknown> } }).data;
    expect(list).toMatchObject({ status: true, edges: null, extension: [] });
    expect(list['count']).toBe(list['totalCount']);
  });

  test('A reload is under way at once, and is executed in the end.', async () => {
    const { body } = await target.ask(RELOAD);
    const { doreload } = (body as { data: { doreload: { status: boolean; transaction_id: string } } }).data;
    expect(doreload).toMatchObject({ status: true, transaction_id: expect.stringMatching(/^\d+$/) });
    const state = async () =>
      (
        (await target.ask(STATE, { id: doreload.transaction_id })).body as {
          data: { fetchApiStatus: { message: string } };
        }
      ).data.fetchApiStatus.message;
    expect(await until(state, (message) => message !== 'Processing')).toBe('Executed');
  }, 90_000);
});
