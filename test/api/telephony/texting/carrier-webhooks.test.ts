import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { seedDemo } from '../../../../src/telephony/commands/seed-demo';
import { addCarrierAccount } from '../../../../src/telephony/commands/texting/change-carriers';
import type { CarrierName, Credentials } from '../../../../src/telephony/model/texting/carrier-account';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { until } from '../../../support/until';
import { startWorkers } from '../../../support/kernel/workers';
import { DEMO_ONE, DEMO_TWO, inboundText, nowInSeconds, signed, postAsCarrier } from './carrier-requests';
import { openPeople, problem, type People } from '../people';

let cluster: Cluster;
let node: TestNode;
let people: People;
const PUBLIC = 'https://texts.example.com/partyline';

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', PUBLIC_URL: `${PUBLIC}/` });
  await seedDemo(await cluster.kernel(), 'http://127.0.0.1:9981');
  node = await cluster.node();
  people = await openPeople(node);
});
afterAll(() => cluster.close());

const rows = () => node.kernel.mysql('tel_carrier_calls').orderBy('id');
const countRows = async (): Promise<number> => (await rows()).length;
const last = async () => (await rows()).at(-1) as { id: number; state: string; error: string; body: string };

/** Refused, with no internal details in the response, and nothing written. */
async function isRefused(answer: Promise<{ status: number; body: unknown; text: string }>, status: number) {
  const before = await countRows();
  const { text, ...said } = await answer;
  expect(said).toMatchObject(problem(status));
  expect(text).not.toMatch(/secret|token|demo|signature|stack/i);
  expect(await countRows()).toBe(before);
}

describe('POST /webhooks/texting/{carrier}/{token}', () => {
  test('A signed call of a carrier gets an empty 204 without a content type, and is stored once', async () => {
    const before = await countRows();
    const answer = await postAsCarrier(node, inboundText());
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers.get('content-type')).toBeNull();
    expect(await countRows()).toBe(before + 1);
  });

  test('A repeated call of a carrier gets 204 and is not stored again', async () => {
    const text = inboundText();
    expect((await postAsCarrier(node, text)).status).toBe(204);
    const before = await countRows();
    const again = await Promise.all([
      postAsCarrier(node, text),
      postAsCarrier(node, { ...text, text: 'changed' }),
      postAsCarrier(node, text),
    ]);
    expect(again.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect(await countRows()).toBe(before);
  });

  test('A call with an unknown token, an unknown carrier or a token of another carrier gets 404', async () => {
    await isRefused(postAsCarrier(node, inboundText(), { ...DEMO_ONE, token: 'nobody' }), 404);
    await isRefused(postAsCarrier(node, inboundText(), { ...DEMO_ONE, token: 'x'.repeat(5000) }), 404);
    const body = JSON.stringify(inboundText());
    const headers = signed(body, DEMO_ONE.secret);
    for (const carrier of ['telnyx', 'nonsense', '__proto__', 'constructor']) {
      const path = `/webhooks/texting/${carrier}/${DEMO_ONE.token}`;
      await isRefused(node.call(path, { raw: body, method: 'POST', headers }), 404);
    }
  });

  test("A call without a signature, with another company's or over another body gets 401", async () => {
    await isRefused(postAsCarrier(node, inboundText(), DEMO_ONE, { headers: { 'X-Signature': '' } }), 401);
    await isRefused(postAsCarrier(node, inboundText(), { token: DEMO_ONE.token, secret: DEMO_TWO.secret }), 401);
    const headers = signed(JSON.stringify(inboundText()), DEMO_ONE.secret);
    await isRefused(postAsCarrier(node, inboundText(), DEMO_ONE, { headers }), 401);
  });

  test('A signed call that is stale, replayed after the tolerance or from the future gets 401', async () => {
    const body = JSON.stringify(inboundText());
    // A call from the future may become valid on its way to a busy server, so it is a minute further away.
    for (const away of [-301, -86_400, 360]) {
      const headers = signed(body, DEMO_ONE.secret, nowInSeconds() + away);
      await isRefused(postAsCarrier(node, body, DEMO_ONE, { headers }), 401);
    }
  });

  test('A company key is no credential for carrier webhooks, and other methods are refused', async () => {
    const path = `/webhooks/texting/simulated/${DEMO_ONE.token}`;
    await isRefused(people.owner('POST', path, inboundText()), 401);
    await isRefused(node.call(path), 405);
  });

  test('A call of a carrier with a body beyond the limit gets 413', async () => {
    await isRefused(postAsCarrier(node, inboundText({ text: 'x'.repeat(300_000) })), 413);
  });

  test('A call that makes no sense gets 204, so that the carrier does not repeat it, and becomes a dead letter', async () => {
    await startWorkers(cluster, 'texting-inbound');
    for (const [body, reason] of [
      ['no json', /not JSON/],
      ['{"id":"only"}', /from|Invalid/],
      [JSON.stringify(inboundText({ to: '+15550177777' })), /^to: \+15550177777 is no number of this account$/],
      [JSON.stringify(inboundText({ to: 'us' })), /^to: "us" is no telephone number$/],
      [JSON.stringify(inboundText({ from: 'ACME' })), /^from: "ACME" is no telephone number that could be answered$/],
    ] as const) {
      expect((await postAsCarrier(node, body)).status).toBe(204);
      const dead = await until(last, ({ state }) => state === 'failed');
      expect(dead.body).toBe(body);
      expect(dead.error).toMatch(reason);
    }
  });

  test('The carrier account of one company cannot deliver texts to a number of another', async () => {
    expect((await postAsCarrier(node, inboundText({ to: DEMO_TWO.number }), DEMO_ONE)).status).toBe(204);
    await until(last, ({ state }) => state === 'failed');
    expect((await people.stranger('GET', '/texting/conversations')).body).toEqual([]);
  });

  test('A text that the carrier delivers many times at once is received once', async () => {
    const text = inboundText({ from: '+15550108888', text: 'only once' });
    await Promise.all(Array.from({ length: 20 }, () => postAsCarrier(node, text)));
    await until(last, ({ state }) => state === 'done');
    const { body } = await people.owner('GET', '/texting/conversations?search=8888');
    const messages = await people.owner('GET', `/texting/conversations/${body[0].id}/messages`);
    expect(messages.body).toMatchObject([{ text: 'only once', direction: 'inbound' }]);
  });
});

describe('Carriers whose webhooks need more than a secret', () => {
  const connect = async (carrier: CarrierName, credentials: Credentials, token: string) => {
    const { id: companyId } = await node.kernel.mysql('tel_companies').where({ name: 'Example Telecom' }).first('id');
    return addCarrierAccount(node.kernel, { companyId, carrier, credentials, token });
  };
  const post = (path: string, raw: string, headers: Record<string, string>) =>
    node.call(path, { raw, method: 'POST', headers });

  test('Twilio signs the public address with its query, whatever Host header a proxy sends', async () => {
    await connect('twilio', { account_sid: 'AC1', auth_token: 'hush' }, 'twilio-token');
    const path = '/webhooks/texting/twilio/twilio-token?send=0123456789abcdef01234567&b=%20x';
    const fields = {
      MessageSid: 'SM1',
      SmsStatus: 'received',
      From: '+15550109999',
      To: '+15550100001',
      Body: 'ü & x',
    };
    const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
    const text = sorted.map((pair) => pair.join('')).join('');
    const signature = createHmac('sha1', 'hush').update(`${PUBLIC}${path}${text}`).digest('base64');
    const headers = {
      'X-Twilio-Signature': signature,
      'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'X-Forwarded-Host': 'elsewhere.example',
    };
    const body = new URLSearchParams(fields).toString();
    expect((await post(path, body, headers)).status).toBe(204);
    await isRefused(post(path.replace('b=%20x', 'b=+x'), body, headers), 401);
    await isRefused(post(path, `${body}&Extra=1`, headers), 401);
    await isRefused(post(path, body, { ...headers, 'X-Twilio-Signature': '' }), 401);
  });

  test('Telnyx signs the time and the body', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64');
    await connect('telnyx', { api_key: 'hush', public_key: key }, 'telnyx-token');
    const body = '{"data":{"id":"e1","event_type":"message.other","payload":{"text":"ü"}}}';
    const headersAt = (at: number) => ({
      'telnyx-timestamp': String(at),
      'telnyx-signature-ed25519': sign(null, Buffer.from(`${at}|${body}`), privateKey).toString('base64'),
      'Content-Type': 'application/json',
    });
    const path = '/webhooks/texting/telnyx/telnyx-token';
    expect((await post(path, body, headersAt(nowInSeconds()))).status).toBe(204);
    await isRefused(post(path, body, headersAt(nowInSeconds() - 400)), 401);
    await isRefused(post(path, body.replace('e1', 'e2'), headersAt(nowInSeconds())), 401);
  });

  test('Bandwidth sends a name and a password, and is challenged for them', async () => {
    const own = { account_id: '1', application_id: '1', username: 'a', password: 'b' };
    await connect('bandwidth', { ...own, callback_username: 'bw', callback_password: 'hush' }, 'bandwidth-token');
    const path = '/webhooks/texting/bandwidth/bandwidth-token';
    const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    expect((await post(path, '[]', basic('bw:hush'))).status).toBe(204);
    await isRefused(post(path, '[]', basic('bw:wrong')), 401);
    const asked = await post(path, '[]', {});
    expect(asked).toMatchObject({ status: 401 });
    expect(asked.headers.get('www-authenticate')).toMatch(/^Basic /);
  });
});
