import { reactivateRealm } from '../../../../src/chat/commands/organisation/realms';
import type { RealmId } from '../../../../src/chat/model/organisation/realm';
import { callerOf, encoded, refusal, type Caller } from '../../../support/chat/people';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { operator, type OperatorClient } from '../../../support/operators';
import { openOrganisations } from '../../../support/chat/organisations';
import { signedIn } from '../../../support/http/pages';
import { chatIn } from '../../../support/kernel/parts';
import { until } from '../../../support/until';
import { startWorkers } from '../../../support/kernel/workers';

const DEMO = 1 as RealmId;
let cluster: Cluster;
let node: TestNode;
let second: TestNode;
let ada: OperatorClient;
let owner: Caller;
let member: Caller;
/** The same member on another node. */
let elsewhere: Caller;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', HEARTBEAT_MIN_MS: '60000', HEARTBEAT_MAX_MS: '60000' });
  await cluster.seed();
  node = await cluster.node();
  ada = await operator(node.kernel, node, 'ada', 'full');
  owner = await callerOf(node, 'owner@example.com');
  member = await callerOf(node, 'member@example.com');
  second = await cluster.node();
  elsewhere = await callerOf(second, 'member@example.com', member.headers);
});
afterEach(() => reactivateRealm(node.kernel.transaction, DEMO));
afterAll(() => cluster.close());

const GONE = refusal('This organization has been deactivated', {}, 401);
const SAID = { type: 'stream', to: 'test', topic: 'x', content: 'x' };
const deactivate = () => owner.post('/realm/deactivate');

async function queueOf(by: Caller): Promise<string> {
  return (await by.post('/register', encoded({ event_types: ['realm'] }))).body.queue_id;
}
const poll = (by: Caller, queue_id: string, last = '-1') => by.get('/events', { queue_id, last_event_id: last });

describe('Deactivation of an organisation', () => {
  test('A deactivated organisation refuses keys and logins on every node', async () => {
    // Both nodes have just seen them, and could let them in from memory.
    for (const by of [owner, member, elsewhere]) expect((await by.post('/messages', SAID)).status).toBe(200);
    expect((await deactivate()).body).toEqual({ result: 'success', msg: '' });
    for (const by of [owner, member]) {
      expect(await by.post('/messages', SAID)).toMatchObject(GONE);
      expect(await by.get('/users/me')).toMatchObject(GONE);
    }
    for (const ask of [() => elsewhere.get('/users/me'), () => elsewhere.post('/messages', SAID)])
      expect(await until(ask, ({ status }) => status !== 200)).toMatchObject(GONE);
    const disabled = refusal('This organization has been deactivated.', { reason: 'realm deactivated' }, 403);
    const form = { username: 'member@example.com', password: 'demo' };
    expect(await node.call('/api/v1/dev_fetch_api_key', { form })).toMatchObject(disabled);
    expect(await node.call('/api/v1/fetch_api_key', { form })).toMatchObject(disabled);
  });

  test.each([
    ['an administrator', deactivate],
    ['an operator', () => ada.post(`/tenants/organisation/${DEMO}/deactivate`)],
  ])(
    'When %s deactivates an organisation, waiting polls get that as their last event and sessions end',
    async (_who, end) => {
      const callers = [member, elsewhere];
      const page = await signedIn(second, 'member@example.com');
      expect((await page.call(second, '/api/v1/users/me')).status).toBe(200);
      const queues = await Promise.all(callers.map(queueOf));
      const waiting = callers.map((by, at) => poll(by, queues[at]!));
      for (const each of [node, second]) await until(() => chatIn(each).polls.waiting === 1);
      expect((await end()).status).toBe(200);
      for (const [at, answer] of (await Promise.all(waiting)).entries()) {
        expect(answer.body.events).toEqual([
          { id: expect.any(Number), type: 'realm', op: 'deactivated', realm_id: DEMO },
        ]);
        const last = String(answer.body.events[0].id);
        // The events may reach a node in two pieces: a poll in between is then answered without events.
        const next = await until(
          () => poll(callers[at]!, queues[at]!, last),
          ({ status }) => status !== 200,
        );
        expect(next).toMatchObject(GONE);
      }
      expect(await page.call(second, '/api/v1/users/me')).toMatchObject({ status: 401 });
    },
  );

  test('Deactivating an organisation ends its open server-sent event streams', async () => {
    const queue_id = await queueOf(elsewhere);
    const stream = elsewhere.ask('/events', {
      query: { queue_id, last_event_id: '-1' },
      headers: { Accept: 'text/event-stream' },
    });
    await until(() => chatIn(second).polls.waiting === 1);
    await deactivate();
    // The response is complete: the server has ended it.
    expect((await stream).status).toBe(200);
  });

  test('A deactivated organisation accepts no webhooks, and its pending deliveries become no messages', async () => {
    const { body: key } = await node.call('/api/v1/dev_fetch_api_key', {
      form: { username: 'webhook-bot@example.com' },
    });
    const deliver = () =>
      node.call('/api/v1/external/json', {
        query: { api_key: key.api_key, stream: 'test', topic: 'late' },
        json: { status: 'ok' },
      });
    expect((await deliver()).status).toBe(200);
    await deactivate();
    const answer = await until(deliver, ({ status }) => status !== 200);
    expect(answer).toMatchObject(refusal('Invalid API key', { code: 'INVALID_API_KEY' }, 401));
    await startWorkers(cluster, 'chat-webhooks');
    await until(
      () => node.kernel.mysql('chat_deliveries').where({ state: 'pending' }),
      (rows) => rows.length === 0,
    );
    expect(await node.kernel.mysql('chat_messages').where({ topic: 'late' })).toEqual([]);
  });

  test('A reactivated organisation has its users and event queues again', async () => {
    const queue = await queueOf(member);
    await deactivate();
    await deactivate();
    await reactivateRealm(node.kernel.transaction, DEMO);
    expect((await member.post('/messages', SAID)).status).toBe(200);
    expect((await poll(member, queue)).body.events).toHaveLength(1);
  });

  test('Only administrators can deactivate an organisation', async () => {
    expect(await member.post('/realm/deactivate')).toMatchObject(
      refusal('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' }),
    );
    expect((await member.get('/users/me')).status).toBe(200);
  });
});

test('Deactivating one organisation does not affect another on the same server', async () => {
  const all = await openOrganisations();
  expect((await all.acme.owner.post('/realm/deactivate')).status).toBe(200);
  expect(await all.acme.member.get('/users/me')).toMatchObject(GONE);
  expect((await all.beta.member.get('/users/me')).status).toBe(200);
  await all.cluster.close();
});
