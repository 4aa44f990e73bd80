import { userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { refusal } from '../../../support/chat/people';
import { publishedBy } from '../../../support/chat/published';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let other: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member, other] = await Promise.all([userOf(node, 'owner'), userOf(node, 'member'), userOf(node, 'other')]);
});
afterAll(() => cluster.close());

const URL_WITH_KEY = 'https://hooks.example/T0/secret-path';
let made = 0;
const make = (more: Record<string, unknown> = {}) => {
  const name = `out${(made += 1)}`;
  const form = { full_name: `Bot ${name}`, short_name: name, bot_type: 3, payload_url: URL_WITH_KEY, ...more };
  return member.post('/bots', form);
};
const service = (more: object = {}) => ({
  base_url: URL_WITH_KEY,
  interface: 1,
  token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
  ...more,
});

describe('Outgoing webhook bots', () => {
  test('An outgoing webhook bot is created with its payload URL, sent as text or as JSON', async () => {
    expect((await make()).body).toMatchObject({
      result: 'success',
      service_payload_url: URL_WITH_KEY,
      service_interface: 1,
    });
    const { body } = await make({
      payload_url: JSON.stringify(URL_WITH_KEY),
      interface_type: 2,
      service_name: 'slack',
    });
    expect(body).toMatchObject({ service_payload_url: URL_WITH_KEY, service_interface: 2 });
  });

  test.each([
    ['no payload URL', { payload_url: '' }, 'payload_url is not a URL'],
    ['text that is no URL', { payload_url: 'not an address' }, 'payload_url is not a URL'],
    ['a protocol other than HTTP', { payload_url: 'ftp://hooks.example/' }, 'payload_url is not a URL'],
    ['an unknown format', { interface_type: 3 }, 'Invalid interface type'],
  ])('An outgoing webhook bot is refused with %s', async (_, form, msg) => {
    expect(await make(form)).toMatchObject(refusal(msg));
  });

  test("Only the owner and administrators see a bot's services, in lists, register and events", async () => {
    const heard = await member.listen(['realm_bot']);
    const { body } = await make();
    const [added] = await heard();
    expect(added).toMatchObject({ op: 'add', bot: { user_id: body.user_id, bot_type: 3, services: [service()] } });
    const token = added!['bot'].services[0].token as string;
    const { bots } = (await member.get('/bots')).body as { bots: { user_id: number; services: unknown }[] };
    expect(bots.find(({ user_id: id }) => id === body.user_id)?.services).toEqual([service({ token })]);
    for (const user of [member, owner]) {
      const { body: state } = await user.post('/register', { fetch_event_types: ['realm_bot'] });
      const bot = (state.realm_bots as { user_id: number }[]).find(({ user_id: id }) => id === body.user_id);
      expect(bot).toMatchObject({ services: [service({ token })] });
    }
    const { body: state } = await other.post('/register', { fetch_event_types: ['realm_bot'] });
    expect(state.realm_bots).toEqual([]);
  });

  test("A bot's token and payload URL appear neither in the outbox nor in plain text in MySQL", async () => {
    const published = await publishedBy(node.kernel, () => make());
    expect(published.find(({ event }) => event.type === 'realm_bot')?.event.bot.services).toBeNull();
    const stored = JSON.stringify([
      await node.kernel.mysql('kernel_outbox').select('body'),
      await node.kernel.mysql('chat_bot_endpoints'),
    ]);
    expect(stored).not.toContain('secret-path');
  });

  test("Changing a bot's payload URL or format keeps its token", async () => {
    const heard = await member.listen(['realm_bot']);
    const { body } = await make();
    const path = `/bots/${body.user_id}`;
    const address = 'https://other.example/hook';
    expect((await member.patch(path, { service_payload_url: address })).body).toMatchObject({
      service_payload_url: address,
      service_interface: 1,
    });
    expect((await member.patch(path, { service_interface: 2 })).body).toMatchObject({
      service_payload_url: address,
      service_interface: 2,
    });
    const [added, ...changes] = await heard();
    const { token } = added!['bot'].services[0] as { token: string };
    const services = (format: number) => [{ base_url: address, interface: format, token }];
    // An event contains the state at the time it is read.
    expect(changes.map(({ bot }) => bot)).toEqual([
      { email: added!['bot'].email, user_id: body.user_id, services: services(2) },
      { email: added!['bot'].email, user_id: body.user_id, services: services(2) },
    ]);
    expect(await member.patch(path, { service_payload_url: 'nowhere' })).toMatchObject(
      refusal('service_payload_url is not a URL'),
    );
    expect(await member.patch(path, { service_interface: 7 })).toMatchObject(refusal('Invalid interface type'));
    expect(await other.patch(path, { service_payload_url: address })).toMatchObject(refusal('Insufficient permission'));
  });

  test('A generic bot cannot have a payload URL', async () => {
    const { body } = await make({ bot_type: 1 });
    expect(body).toMatchObject({ service_payload_url: null, service_interface: null });
    const changed = await member.patch(`/bots/${body.user_id}`, { service_payload_url: URL_WITH_KEY });
    expect(changed).toMatchObject(refusal('Only an outgoing webhook bot has a payload URL'));
  });

  test('An organisation can restrict outgoing webhook bots to administrators', async () => {
    await owner.patch('/realm', { bot_creation_policy: 3 });
    expect(await make()).toMatchObject(refusal('Must be an organization administrator'));
    await owner.patch('/realm', { bot_creation_policy: 2 });
    expect((await make()).body.result).toBe('success');
    await owner.patch('/realm', { bot_creation_policy: 1 });
  });
});
