import { callerOf, demoPeople, refusal, type Caller, type DemoPeople } from '../../../support/chat/people';
import { basicHeader } from '../../../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { integrations } from '../../../../src/chat/integrations';

let cluster: Cluster;
let node: TestNode;
let people: DemoPeople;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  people = await demoPeople(node);
});
afterAll(() => cluster.close());

const botWith = async (name: string, defaults: Record<string, string>): Promise<Caller> => {
  const { body, text } = await people.member.post('/bots', { full_name: `Bot ${name}`, short_name: name, ...defaults });
  if (body.result !== 'success') throw new Error(text);
  const address = `${name}-bot@partyline.invalid`;
  return callerOf(node, address, basicHeader(address, body.api_key));
};
const say = (to: string, content: string) =>
  people.owner.post('/messages', { type: 'stream', to, topic: 'a', content });
/** The messages of two public streams that a queue receives. */
async function hears(bot: Caller, form: Record<string, string> = {}): Promise<string[]> {
  const { body } = await bot.post('/register', { event_types: '["message"]', ...form });
  await say('test', 'in test');
  await say('general', 'in general');
  await node.kernel.outbox.settle();
  const query = { queue_id: body.queue_id, last_event_id: '-1', dont_block: 'true' };
  const { events } = (await bot.get('/events', query)).body;
  return events.map(({ message }: { message: { content: string } }) => message.content);
}

describe("Defaults that a bot's owner has set", () => {
  test("The owner's default decides whether a bot gets all public streams, unless the bot says so itself", async () => {
    const bot = await botWith('curious', { default_all_public_streams: 'true' });
    expect(await hears(bot)).toEqual(['in test', 'in general']);
    expect(await hears(bot, { all_public_streams: 'false' })).toEqual([]);
    expect(await hears(await botWith('deaf', {}))).toEqual([]);
  });

  test("The owner's default stream narrows a bot's queue unless the bot sends a narrow itself", async () => {
    const bot = await botWith('narrow', { default_events_register_stream: 'general' });
    expect(await hears(bot)).toEqual(['in general']);
    for (const narrow of ['[["stream","test"]]', '["stream","test"]', '[{"operator":"stream","operand":"test"}]']) {
      expect({ narrow, heard: await hears(bot, { narrow }) }).toEqual({ narrow, heard: ['in test'] });
    }
  });

  test('A bot that names no stream sends to the default stream that its owner set', async () => {
    const bot = await botWith('writer', { default_sending_stream: 'general' });
    const sent = await bot.post('/messages', { type: 'stream', topic: 'a', content: 'by default' });
    expect(sent.status).toBe(200);
    const row = (await node.kernel.mysql('chat_messages').where({ id: sent.body.id }).first()) as object;
    const stream = (await people.owner.get('/get_stream_id', { stream: 'general' })).body.stream_id;
    expect(row).toMatchObject({ recipient_id: stream });
    const lost = await (await botWith('lost', {})).post('/messages', { type: 'stream', topic: 'a', content: 'x' });
    expect(lost).toMatchObject(refusal('Missing stream', { code: 'BAD_REQUEST' }));
  });
});

describe('Registration', () => {
  test('Registration returns the notification bot and the list of webhook integrations', async () => {
    const { body } = await people.member.post('/register');
    expect(body.cross_realm_bots).toEqual([
      {
        email: 'notification-bot@zulip.com',
        user_id: expect.any(Number),
        full_name: 'Notification Bot',
        is_admin: false,
        is_bot: true,
        avatar_url: expect.stringContaining('gravatar'),
        timezone: '',
        date_joined: expect.any(String),
      },
    ]);
    const listed = body.realm_users.map(({ user_id: id }: { user_id: number }) => id);
    expect(listed).not.toContain(body.cross_realm_bots[0].user_id);
    expect(body.realm_incoming_webhook_bots).toHaveLength(integrations.size);
    expect(body.realm_incoming_webhook_bots).toContainEqual({ name: 'github', config: {} });
  });

  test.each([
    ['{}', 'notification_settings_null key is missing from client_capabilities'],
    ['[]', 'client_capabilities is not a dict'],
    ['{"notification_settings_null":1}', 'client_capabilities["notification_settings_null"] is not a boolean'],
    ['no', 'Argument "client_capabilities" is not valid JSON.'],
  ])('Registration refuses the client_capabilities %s', async (client_capabilities, message) => {
    const answer = await people.member.post('/register', { client_capabilities });
    expect(answer).toMatchObject(refusal(message, { code: 'BAD_REQUEST' }));
  });

  test('Registration accepts client_capabilities with unknown keys', async () => {
    const form = { client_capabilities: '{"notification_settings_null":true,"more":1}', event_types: '["message"]' };
    expect((await people.member.post('/register', form)).status).toBe(200);
  });

  test.each([
    ['10', 600],
    ['700', 700],
    ['604800', 900],
  ])(
    'A queue that asks for a lifespan of %s seconds keeps %i seconds, before and after polls',
    async (asked, lives) => {
      const form = { queue_lifespan_secs: asked, event_types: '["message"]' };
      const { body: queue } = await people.member.post('/register', form);
      const { redis, namespace } = node.kernel;
      const key = (await redis.commands.keys(`${namespace}*${encodeURIComponent(queue.queue_id as string)}*`))[0]!;
      const GRACE = 30;
      const secondsLeft = async () => (await redis.commands.pttl(key)) / 1000 - GRACE;
      for (const path of ['/events', '/events']) {
        expect(await secondsLeft()).toBeGreaterThan(lives - 10);
        expect(await secondsLeft()).toBeLessThanOrEqual(lives);
        await people.member.get(path, { queue_id: queue.queue_id, last_event_id: '-1', dont_block: 'true' });
      }
      const all = (await redis.commands.keys(`${namespace}*queues-of*`)).map((each) => redis.commands.pttl(each));
      expect(Math.max(...(await Promise.all(all))) / 1000 - GRACE).toBeGreaterThan(lives - 10);
    },
  );

  test('Registration refuses a queue lifespan that is no number', async () => {
    const bad = await people.member.post('/register', { queue_lifespan_secs: 'long' });
    expect(bad.body).toMatchObject({ code: 'REQUEST_VARIABLE_INVALID', var_name: 'queue_lifespan_secs' });
  });
});

test('Nobody can log in as the notification bot, change it or take its address', async () => {
  const { owner } = people;
  const email = 'notification-bot@zulip.com';
  const { body } = await owner.post('/register');
  const [{ user_id: id }] = body.cross_realm_bots;
  const login = await node.call('/api/v1/dev_fetch_api_key', { form: { username: email } });
  expect(login).toMatchObject(refusal('This user is not registered.', { reason: 'unregistered' }, 403));
  for (const refused of [
    await owner.post(`/bots/${id}/api_key/regenerate`),
    await owner.patch(`/bots/${id}`, { full_name: '"Mine"' }),
    await owner.del(`/bots/${id}`),
    await owner.get(`/bots/${id}/zuliprc`),
  ]) {
    expect(refused.body.msg).toBe('No such bot');
  }
  for (const refused of [await owner.patch(`/users/${id}`, { is_admin: 'true' }), await owner.del(`/users/${id}`)]) {
    expect(refused.body.msg).toBe('No such user');
  }
  const person = { email: 'Notification-Bot@zulip.com', password: 'plain words of nobody', full_name: 'Impostor' };
  expect((await owner.post('/users', person)).body.msg).toBe("Email 'Notification-Bot@zulip.com' already in use");
});
