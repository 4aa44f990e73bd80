import { createHmac } from 'node:crypto';
import { SIGNATURE_SCHEMES } from '../../../../src/chat/model/bots/signature-schemes';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { demoPeople, type Caller, type DemoPeople } from '../../../support/chat/people';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let people: DemoPeople;

const SECRET = 'It is a secret to everybody';
/** Not UTF-8: a signature covers the bytes, not the text. */
const BODY = Buffer.concat([Buffer.from('{"said": "'), Buffer.from([0xff]), Buffer.from('"}')]);

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  people = await demoPeople(node);
});
afterAll(() => cluster.close());

async function newBot(name: string, type = 2) {
  const { body } = await people.member.post('/bots', { full_name: name, short_name: name, bot_type: String(type) });
  return { id: body.user_id as number, key: body.api_key as string };
}

const put = (id: number, form: Record<string, string>, by: Caller = people.member) =>
  by.put(`/bots/${id}/signature`, form);

const deliver = (key: string, headers: Record<string, string> = {}, integration = 'json', body: Buffer = BODY) =>
  node.call(`/api/v1/external/${integration}`, {
    method: 'POST',
    query: { api_key: key, stream: 'test' },
    raw: body,
    headers,
  });

const hmacOf = (signed: Buffer | string, secret = SECRET) => createHmac('sha256', secret).update(signed).digest('hex');
const signed = (secret = SECRET) => ({ 'X-Hub-Signature': `sha256=${hmacOf(BODY, secret)}` });

const REFUSED = { status: 401, body: { result: 'error', msg: 'Invalid signature', code: 'INVALID_SIGNATURE' } };

const refusedSoFar = async (scheme: string): Promise<number> => {
  const metrics = await node.kernel.metrics.registry.metrics();
  const line = new RegExp(`^partyline_webhook_signatures_refused_total\\{.*scheme="${scheme}".*\\} (\\d+)$`, 'm');
  return Number(line.exec(metrics)?.[1] ?? 0);
};

describe('Bots whose deliveries must be signed', () => {
  test('Deliveries must be signed over their exact bytes, and others get 401 and are counted', async () => {
    const bot = await newBot('signed');
    expect(await put(bot.id, { scheme: 'hmac', secret: SECRET })).toMatchObject({
      status: 200,
      body: { result: 'success' },
    });
    expect(await deliver(bot.key, signed())).toMatchObject({ status: 200, body: { result: 'success' } });
    const before = await refusedSoFar('hmac');
    expect(await deliver(bot.key)).toMatchObject(REFUSED);
    expect(await deliver(bot.key, signed('another secret'))).toMatchObject(REFUSED);
    expect(await deliver(bot.key, signed(), 'json', Buffer.from('{"said": "other"}'))).toMatchObject(REFUSED);
    expect(await refusedSoFar('hmac')).toBe(before + 3);
    const rows = await node.kernel.mysql('chat_deliveries').where({ bot_id: bot.id });
    expect(rows).toHaveLength(1);
  });

  test('A required signature cannot be avoided by naming another integration or none', async () => {
    const bot = await newBot('closed');
    await put(bot.id, { scheme: 'github', secret: SECRET });
    for (const integration of ['json', 'slack_incoming', 'zapier', 'nothing']) {
      expect(await deliver(bot.key, {}, integration)).toMatchObject(REFUSED);
    }
    const headers = { 'X-GitHub-Event': 'ping', 'X-Hub-Signature-256': '' };
    const body = Buffer.from('{"zen": "x", "sender": {"login": "ada"}}');
    expect(await deliver(bot.key, headers, 'github', body)).toMatchObject(REFUSED);
    headers['X-Hub-Signature-256'] = `sha256=${hmacOf(body)}`;
    expect((await deliver(bot.key, headers, 'github', body)).status).toBe(200);
  });

  test('A delivery whose Slack signature is more than five minutes off is refused', async () => {
    const bot = await newBot('replayed');
    await put(bot.id, { scheme: 'slack', secret: SECRET });
    const sign = (at: number) => ({
      'X-Slack-Request-Timestamp': String(at),
      'X-Slack-Signature': `v0=${hmacOf(Buffer.concat([Buffer.from(`v0:${at}:`), BODY]))}`,
    });
    const now = Math.floor(Date.now() / 1000);
    expect((await deliver(bot.key, sign(now))).status).toBe(200);
    expect(await deliver(bot.key, sign(now - 310))).toMatchObject(REFUSED);
    expect(await deliver(bot.key, sign(now + 310))).toMatchObject(REFUSED);
  });

  test("Unsigned deliveries are accepted again once the bot's signature is removed", async () => {
    const bot = await newBot('open');
    expect((await deliver(bot.key)).status).toBe(200);
    await put(bot.id, { scheme: 'hmac', secret: SECRET });
    // What a node has just looked up is valid for a second.
    const answers = (wanted: number) =>
      until(
        () => deliver(bot.key),
        ({ status }) => status === wanted,
      );
    await answers(401);
    expect((await people.member.del(`/bots/${bot.id}/signature`)).status).toBe(200);
    await answers(200);
  });
});

describe('The signature of a bot', () => {
  test("The owner and administrators set a bot's signature, whose secret is never shown or stored as is", async () => {
    const bot = await newBot('kept');
    const path = `/bots/${bot.id}/signature`;
    expect((await people.member.get(path)).body).toMatchObject({ result: 'success', scheme: null });
    const answers = [
      await put(bot.id, { scheme: 'github', secret: SECRET }),
      await people.member.get(path),
      await people.owner.get(path),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[2]!.body).toMatchObject({ scheme: 'github' });
    expect(JSON.stringify(answers)).not.toContain(SECRET);
    const row = await node.kernel.mysql('chat_bot_signatures').where({ user_id: bot.id }).first();
    expect(JSON.stringify(row)).not.toContain(SECRET);
    expect(node.kernel.secrets.decrypt(row.secret_sealed)).toBe(SECRET);
    expect((await put(bot.id, { scheme: 'gitlab', secret: 'x' }, people.owner)).status).toBe(200);
  });

  test('A signature is refused from others, for other bots, and with a bad scheme or secret', async () => {
    const bot = await newBot('refused');
    expect((await put(bot.id, { scheme: 'hmac', secret: 'x' }, people.guest)).status).toBe(400);
    expect((await people.guest.get(`/bots/${bot.id}/signature`)).status).toBe(400);
    const generic = await newBot('generic', 1);
    expect((await put(generic.id, { scheme: 'hmac', secret: 'x' })).body).toMatchObject({
      msg: 'Only an incoming webhook bot receives signed deliveries',
    });
    for (const fields of [
      { scheme: 'rot13', secret: 'x' },
      { scheme: 'constructor', secret: 'x' },
      { scheme: 'hmac', secret: ' ' },
      { scheme: 'hmac', secret: 'x'.repeat(1001) },
      { scheme: 'hmac' },
    ]) {
      expect((await put(bot.id, fields as Record<string, string>)).status).toBe(400);
    }
    for (const scheme of SIGNATURE_SCHEMES) expect((await put(bot.id, { scheme, secret: 'x' })).status).toBe(200);
  });
});
