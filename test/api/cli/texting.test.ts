import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { bearer } from '../../support/http/client';
import { inboundText, postAsCarrier } from '../telephony/texting/carrier-requests';
import { cliOf, type Cli } from './run';

let cluster: Cluster;
let node: TestNode;
let cli: Cli;
let key: string;

beforeAll(async () => {
  cluster = await openCluster({ PUBLIC_URL: 'https://texts.example.com' });
  node = await cluster.node();
  cli = cliOf(cluster.environment);
  key = (await cli(['company', 'add', 'Zeta', '--owner-email', 'zoe@zeta.example', '--json'])).json.key;
});
afterAll(() => cluster.close());

const addCarrier = (input: string, ...more: string[]) =>
  cli(['texting', 'carrier', 'add', '--company', 'Zeta', '--json', ...more], { input });

describe('partyline texting carrier', () => {
  test('The command texting carrier list says that there are no accounts', async () => {
    expect(await cli(['texting', 'carrier', 'list'])).toMatchObject({ out: 'there are no accounts with carriers\n' });
  });

  test('The command texting carrier add prints the webhook address, and token and credentials are stored unreadable', async () => {
    const made = await addCarrier('{"account_sid":"AC1","auth_token":"hush"}', '--carrier', 'twilio');
    expect(made).toMatchObject({ code: 0, err: '', json: { carrier: 'twilio' } });
    const [, token] = /^https:\/\/texts\.example\.com\/webhooks\/texting\/twilio\/(\w{40})$/.exec(
      made.json.webhook_url,
    )!;
    const [row] = await node.kernel.mysql('tel_carrier_accounts');
    expect(JSON.stringify(row)).not.toMatch(new RegExp(`hush|AC1|${token}`));
    expect(row.api_url).toBe('https://api.twilio.com');
    const listed = await cli(['texting', 'carrier', 'list', '--json']);
    expect(listed.json.accounts).toMatchObject([{ id: made.json.id, carrier: 'twilio', companyName: 'Zeta' }]);
    expect(listed.out).not.toMatch(/hush/);
    expect(await cli(['texting', 'carrier', 'remove', made.json.id])).toMatchObject({ code: 0 });
    expect(await cli(['texting', 'carrier', 'remove', made.json.id])).toMatchObject({ code: 1 });
  });

  test('The command texting carrier add refuses values that are not valid', async () => {
    expect(await addCarrier('hush')).toMatchObject({ code: 1, json: { error: expect.stringMatching(/JSON object/) } });
    expect(await addCarrier('{"secret":1}')).toMatchObject({ code: 1 });
    const missing = await addCarrier('{"api_key":"x"}', '--carrier', 'telnyx');
    expect(missing.json.error).toBe('telnyx needs public_key');
    const nowhere = await addCarrier('{"secret":"x"}', '--api-url', 'ftp://x');
    expect(nowhere.json.error).toMatch(/no address/);
    expect(await addCarrier('{}', '--carrier', 'nonsense')).toMatchObject({ code: 1 });
  });
});

test('A dead letter to a number that was missing is read once the command texting number adds the number', async () => {
  const { json: account } = await addCarrier('{"secret":"s"}', '--token', 'zeta-token');
  const by = { token: 'zeta-token', secret: 's' };
  expect((await postAsCarrier(node, inboundText({ to: '+15550170000', text: 'early' }), by)).status).toBe(204);
  await node.kernel.mysql('tel_carrier_calls').update({ state: 'failed', error: 'no number', finished_at: new Date() });
  const dead = await cli(['texting', 'dead-letters', 'list', '--json']);
  expect(dead.json.dead_letters).toMatchObject([{ carrier: 'simulated', error: 'no number' }]);

  const args = ['texting', 'number', 'add', '(555) 017-0000', '--account', account.id, '--label', 'Main'];
  expect(await cli([...args, '--json'])).toMatchObject({ code: 0, json: { e164: '+15550170000', label: 'Main' } });
  expect(await cli([...args, '--json'])).toMatchObject({ code: 1 });
  const taken = 'There is a number +15550170000 already';
  expect((await cli(args)).err).toBe(`partyline: ${taken}\n`);
  expect((await cli([...args, '--json'])).json).toEqual({ error: taken });
  const { body } = await node.call('/texting/numbers', { headers: bearer(key) });
  expect(JSON.stringify(body)).toContain('+15550170000');
  const listed = await cli(['texting', 'number', 'list', '--json']);
  expect(listed.json.numbers).toMatchObject([{ e164: '+15550170000', companyName: 'Zeta', carrier: 'simulated' }]);

  expect(await cli(['texting', 'dead-letters', 'retry'])).toMatchObject({ out: '1 call will be read again\n' });
  expect((await node.kernel.mysql('tel_carrier_calls').first('state')).state).toBe('pending');

  const used = await cli(['texting', 'carrier', 'remove', account.id, '--json']);
  expect(used.json.error).toMatch(/numbers on this account/);
  expect(await cli(['texting', 'number', 'remove', '+15550170000'])).toMatchObject({ code: 0 });
  expect(await cli(['texting', 'number', 'remove', '+15550170000'])).toMatchObject({ code: 1 });
  expect(await cli(['texting', 'carrier', 'remove', account.id])).toMatchObject({ code: 0 });
});
