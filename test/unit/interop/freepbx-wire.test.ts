import { openFreePbxTarget, type FreePbxTarget } from '../../support/telephony/freepbx-target';
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
  // Whatever a failed case has left on a live FreePBX.
  for (const number of [1, 3, 4, 5]) await target.ask(DELETE, { input: { extensionId: String(first + number) } });
  await target.close();
});

describe('Access tokens', () => {
  test('An access token lasts an hour and comes without a refresh token', async () => {
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
  ])('An access token is refused for %s', async (_, form) => {
    const body = { error: 'invalid_client', message: 'Client authentication failed' };
    expect(await target.token(form)).toEqual({ status: 401, body });
  });

  test('An access token is refused for an unknown scope, which the hint names', async () => {
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
  ])('A call without a valid access token gets 401: %s', async (_, authorization, hint) => {
    const reply = await target.ask('query { system { version } }', {}, authorization);
    expect(reply).toMatchObject({ status: 401, body: { error: 'access_denied', hint } });
  });
});

describe('Recorded exchanges', () => {
  test.each(recordedExchanges(first))(
    'A recorded exchange gets the answer of FreePBX 16: $title',
    async ({ query, variables, status, body }) => {
      expect(await target.ask(query, variables)).toEqual({ status, body });
    },
  );
});

describe('Lists and reloads', () => {
  test('A list counts all extensions, not those of its page, and has no edges', async () => {
    const { body } = await target.ask(LIST, { first: 0 });
    const { fetchAllExtensions: list } = (body as { data: { fetchAllExtensions: Record<string, unknown> } }).data;
    expect(list).toMatchObject({ status: true, edges: null, extension: [] });
    expect(list['count']).toBe(list['totalCount']);
  });

  test('A reload is reported as running at once, and finally as executed', async () => {
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
