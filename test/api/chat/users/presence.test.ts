import { presence } from '../../../../src/chat/actors/presence/presence';
import { realmTenant } from '../../../../src/chat/model/organisation/realm';
import { getRealm } from '../../../../src/chat/queries/organisation/find-realm';
import { redisKey } from '../../../../src/kernel/actor/address';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { callerOf, demoPeople, refusal, type Caller, type DemoPeople } from '../../../support/chat/people';
import { pushedBy } from '../../../support/chat/published';
import { chatOf } from '../../../support/kernel/parts';

let cluster: Cluster;
let node: TestNode;
let second: TestNode;
let people: DemoPeople;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  second = await cluster.node();
  people = await demoPeople(node);
});
afterAll(() => cluster.close());

const here = (who: Caller, more: Record<string, string> = {}) =>
  who.post('/users/me/presence', { status: 'active', client: 'website', ping_only: 'true', ...more });

/** Makes a user's last report older by this many seconds. */
async function age(who: Caller, seconds: number): Promise<void> {
  const { address } = presence.at(realmTenant((await getRealm(chatOf(node.kernel))).id));
  const key = redisKey(node.kernel.namespace, address);
  const redis = node.kernel.redis.commands;
  const clients = JSON.parse((await redis.hget(key, String(who.id)))!) as Record<string, [string, number]>;
  for (const report of Object.values(clients)) report[1] -= seconds;
  await redis.hset(key, String(who.id), JSON.stringify(clients));
}

describe('POST /users/me/presence', () => {
  test("A user's first presence report is published to everybody", async () => {
    const published = await pushedBy(node.kernel, () => here(people.member));
    expect(published).toEqual([
      {
        to: 'everyone',
        event: {
          type: 'presence',
          email: 'member@example.com',
          server_timestamp: expect.any(Number),
          presence: {
            website: { client: 'website', status: 'active', timestamp: expect.any(Number), pushable: false },
          },
        },
      },
    ]);
  });

  test('A repeated report publishes nothing, and an idle client does not make an active user idle', async () => {
    const published = await pushedBy(node.kernel, async () => {
      await here(people.member);
      await here(people.member, { status: 'idle' });
    });
    expect(published).toEqual([]);
    const { body } = await people.owner.get('/users/member@example.com/presence');
    expect(body.presence.website.status).toBe('active');
  });

  test('Presence is published when a user becomes active again, not when a user becomes idle', async () => {
    await age(people.member, 71);
    expect(await pushedBy(node.kernel, () => here(people.member, { status: 'idle' }))).toEqual([]);
    expect(await pushedBy(node.kernel, () => here(people.member))).toHaveLength(1);
    await age(people.member, 71);
    expect(await pushedBy(node.kernel, () => here(people.member))).toHaveLength(1);
  });

  test('Concurrent presence reports on two nodes are published once', async () => {
    await age(people.member, 71);
    const there = await callerOf(second, 'member@example.com');
    const published = await pushedBy(node.kernel, () =>
      Promise.all([people.member, there, people.member, there].map((each) => here(each))),
    );
    expect(published).toHaveLength(1);
  });

  test('A presence report returns the presence of everybody unless it is only a ping', async () => {
    await here(people.owner, { client: 'ZulipDesktop' });
    expect((await here(people.owner)).body).toEqual({ result: 'success', msg: '' });
    const { body } = await here(people.guest, { ping_only: 'false', new_user_input: 'true' });
    expect(body.server_timestamp).toBeGreaterThan(1_700_000_000);
    expect(Object.keys(body.presences).sort()).toEqual([
      'guest@example.com',
      'member@example.com',
      'owner@example.com',
    ]);
    expect(body.presences['owner@example.com']).toEqual({
      aggregated: { client: 'website', status: 'active', timestamp: expect.any(Number) },
      website: { client: 'website', status: 'active', timestamp: expect.any(Number), pushable: false },
    });
    expect((await people.other.get('/realm/presence')).body.presences).toEqual(body.presences);
  });

  test('A presence report without a client name takes it from the User-Agent', async () => {
    await people.other.ask('/users/me/presence', {
      form: { status: 'idle', ping_only: 'true' },
      headers: { 'User-Agent': 'ZulipMobile/26.20.143 (Android 9)' },
    });
    const { body } = await people.owner.get('/users/other@example.com/presence');
    expect(body.presence).toEqual({
      aggregated: { status: 'idle', timestamp: expect.any(Number) },
      ZulipMobile: { status: 'idle', timestamp: expect.any(Number) },
    });
  });

  test('Presence reports of bots and with an unknown status are refused', async () => {
    expect(await here(people.helper)).toMatchObject(refusal('This endpoint does not accept bot requests.'));
    expect(await here(people.member, { status: 'gone' })).toMatchObject(
      refusal('Invalid status: gone', { code: 'BAD_REQUEST' }),
    );
  });

  test('The server keeps presence for a limited number of clients per user', async () => {
    for (let client = 0; client < 25; client += 1) await here(people.owner, { client: `made-up-${client}` });
    const { body } = await people.member.get('/users/owner@example.com/presence');
    expect(Object.keys(body.presence).length).toBeLessThanOrEqual(21);
    expect(body.presence).toHaveProperty('made-up-24');
  });
});

describe('GET /users/{email}/presence', () => {
  const ask = (email: string) => people.member.get(`/users/${email}/presence`);

  test('A user is offline five minutes after the last presence report', async () => {
    await age(people.other, 301);
    expect((await ask('other@example.com')).body.presence.aggregated.status).toBe('offline');
  });

  test('Presence of unknown users, of bots and of users never seen is refused', async () => {
    expect(await ask('nobody@example.com')).toMatchObject(refusal('No such user'));
    expect(await ask('helper-bot@example.com')).toMatchObject(refusal('Presence is not supported for bot users.'));
    await people.owner.post('/users', {
      email: 'quiet@example.com',
      password: 'plain words of nobody',
      full_name: 'Quiet',
      short_name: 'q',
    });
    expect(await ask('quiet@example.com')).toMatchObject(refusal('No presence data for quiet@example.com'));
  });
});

test('An organisation can disable presence', async () => {
  await people.owner.patch('/realm', { presence_disabled: 'true' });
  await age(people.guest, 71);
  expect(await pushedBy(node.kernel, () => here(people.guest))).toEqual([]);
  expect((await people.member.get('/realm/presence')).body.presences).toEqual({});
  await people.owner.patch('/realm', { presence_disabled: 'false' });
});

describe('POST /typing', () => {
  const type = (op: string, to: string) => people.member.post('/typing', { op, to });

  test('A typing event reaches everyone in the conversation, including the writer', async () => {
    const brief = ({ id, email }: Caller) => ({ user_id: id, email });
    const event = {
      type: 'typing',
      op: 'start',
      sender: brief(people.member),
      recipients: [brief(people.owner), brief(people.member)],
    };
    const to = [people.owner.id, people.member.id];
    for (const written of ['owner@example.com', '"OWNER@example.com"', `[${people.owner.id}]`]) {
      expect(await pushedBy(node.kernel, () => type('start', written))).toEqual([{ to, event }]);
    }
    const group = JSON.stringify(['owner@example.com', 'other@example.com']);
    const [published] = await pushedBy(node.kernel, () => type('stop', group));
    expect(published!.to).toEqual([people.owner.id, people.member.id, people.other.id]);
  });

  test('A typing notification without recipients, with unknown ones or a wrong op is refused', async () => {
    const code = { code: 'BAD_REQUEST' };
    expect(await type('start', '')).toMatchObject(refusal("Missing parameter: 'to' (recipient)", code));
    expect(await type('pause', 'owner@example.com')).toMatchObject(
      refusal("Invalid 'op' value (should be start or stop)", code),
    );
    expect(await type('start', 'nobody@example.com')).toMatchObject(
      refusal("Invalid email 'nobody@example.com'", code),
    );
    expect(await type('start', '[999999]')).toMatchObject(refusal('Invalid user ID 999999', code));
  });
});
