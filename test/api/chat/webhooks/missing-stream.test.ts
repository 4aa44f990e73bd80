import { redisKey } from '../../../../src/kernel/actor/address';
import { realmTenant, type RealmId } from '../../../../src/chat/model/organisation/realm';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { demoPeople, encoded, type DemoPeople } from '../../../support/chat/people';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let people: DemoPeople;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOG_LEVEL: 'error' });
  await cluster.seed();
  node = await cluster.node();
  people = await demoPeople(node);
});
afterAll(() => cluster.close());

interface Bot {
  readonly id: number;
  readonly key: string;
}

async function newBot(name: string): Promise<Bot> {
  const { body } = await people.member.post('/bots', { full_name: name, short_name: name, bot_type: '2' });
  return { id: body.user_id, key: body.api_key };
}

let said = 0;
const deliver = (bot: Bot, stream: string, integration = 'json') =>
  node.call(`/api/v1/external/${integration}`, {
    method: 'POST',
    query: { api_key: bot.key, stream },
    raw: JSON.stringify({ said: (said += 1), topic: 'x', content: 'x' }),
  });
const TAKEN = { status: 200, body: { result: 'success', msg: '' } };

/** The notices about the bot that its owner received, in order. */
async function notices(bot: Bot): Promise<string[]> {
  const { email } = await node.kernel.mysql('chat_users').where({ id: bot.id }).first('email');
  return node.kernel
    .mysql('chat_messages')
    .where('content', 'like', `Your bot \`${email}\`%`)
    .orderBy('id')
    .pluck('content');
}
const heard = (bot: Bot, count: number) =>
  until(
    () => notices(bot),
    (found) => found.length === count,
  );

/** As if a minute had passed since the last notice to the bot's owner. */
async function letAMinutePass(bot: Bot): Promise<void> {
  const { realm_id: realmId } = await node.kernel.mysql('chat_users').where({ id: bot.id }).first('realm_id');
  const address = { tenant: realmTenant(realmId as RealmId), kind: 'owner-notice', id: String(bot.id) };
  await node.kernel.redis.commands.del(redisKey(node.kernel.namespace, address));
}

const taken = (bot: Bot) => node.kernel.mysql('chat_deliveries').where({ bot_id: bot.id });

describe('Deliveries to a stream that does not exist', () => {
  test("A delivery to an unknown stream gets 200 and no message, and the bot's owner is notified", async () => {
    const bot = await newBot('astray');
    expect(await deliver(bot, 'Atlantis')).toMatchObject(TAKEN);
    expect(await heard(bot, 1)).toEqual([
      expect.stringMatching(
        /^Your bot `astray-bot@\S+` tried to send a message to stream #\*\*Atlantis\*\*, but that stream does not exist\./,
      ),
    ]);
    expect(await taken(bot)).toEqual([]);
    const narrow = [{ operator: 'pm-with', operand: 'notification-bot@zulip.com' }];
    const last = encoded({ anchor: 10_000_000_000_000_000, num_before: 1, num_after: 0, narrow });
    const { body } = await people.member.get('/messages', last);
    expect(body.messages).toHaveLength(1);
  });

  test('Notices about unknown streams come at most hourly per stream and every minute per bot', async () => {
    const bot = await newBot('lost');
    expect(await deliver(bot, 'Atlantis')).toMatchObject(TAKEN);
    await heard(bot, 1);
    expect(await deliver(bot, 'Lemuria')).toMatchObject(TAKEN);
    await letAMinutePass(bot);
    // Another integration, and another case of the name: the same stream.
    expect(await deliver(bot, 'atlantis', 'zapier')).toMatchObject(TAKEN);
    expect(await deliver(bot, 'ATLANTIS')).toMatchObject(TAKEN);
    const found = await until(
      async () => {
        expect(await deliver(bot, 'Lemuria')).toMatchObject(TAKEN);
        return notices(bot);
      },
      ({ length }) => length > 1,
    );
    expect(found).toEqual([expect.stringContaining('#**Atlantis**'), expect.stringContaining('#**Lemuria**')]);
  });

  test('The owner of two bots gets a notice about an unknown stream for each bot', async () => {
    const [one, two] = [await newBot('first'), await newBot('second')];
    for (const bot of [one, two]) expect(await deliver(bot, 'Mu')).toMatchObject(TAKEN);
    await Promise.all([heard(one, 1), heard(two, 1)]);
  });

  test('A delivery to an unknown stream with a wrong payload or key is refused', async () => {
    const bot = await newBot('wrong');
    expect((await deliver(bot, 'Atlantis', 'helloworld')).status).toBe(400);
    expect((await deliver({ ...bot, key: 'x'.repeat(32) }, 'Atlantis')).status).toBe(401);
  });
});

test('A delivery to a renamed stream gets 200, and the owner is notified of the old name', async () => {
  const bot = await newBot('renamed');
  await people.owner.post('/users/me/subscriptions', encoded({ subscriptions: [{ name: 'old name' }] }));
  expect(await deliver(bot, 'old name')).toMatchObject(TAKEN);
  const { body } = await people.owner.get('/get_stream_id', { stream: 'old name' });
  expect((await people.owner.patch(`/streams/${body.stream_id}`, { new_name: '"new name"' })).status).toBe(200);
  // A node's cached stream may be a moment old.
  const [notice] = await until(
    async () => {
      expect(await deliver(bot, 'old name')).toMatchObject(TAKEN);
      return notices(bot);
    },
    (found) => found.length > 0,
  );
  expect(notice).toContain('#**old name**, but that stream does not exist.');
  expect(await deliver(bot, 'new name')).toMatchObject(TAKEN);
});
