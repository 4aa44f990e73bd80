import { talker, type Talker } from '../../support/chat/room';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { newBot, operator, type OperatorClient, type TestBot } from '../../support/operators';
import { deliver } from '../../support/chat/deliveries';
import { until } from '../../support/until';
import { startWorkers } from '../../support/kernel/workers';

let cluster: Cluster;
let node: TestNode;
let bot: TestBot;
let admin: Talker;
let owner: Talker;
let full: OperatorClient;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  node = await cluster.node();
  await startWorkers(cluster, 'chat-webhooks');
  bot = await newBot(node.kernel, 'dead');
  admin = await talker(node, 'owner@example.com');
  owner = await talker(node, 'member@example.com');
  full = await operator(node.kernel, node, 'ada', 'full');
});
afterAll(() => cluster.close());

const rowOf = (id: number) => node.kernel.mysql('chat_deliveries').where({ id }).first();
/** Accepted for a stream that is deleted before the worker reads the delivery. */
async function insertDead(by: TestBot, more: object = {}): Promise<number> {
  const { realm_id: realmId } = await node.kernel.mysql('chat_users').where({ id: by.id }).first('realm_id');
  const payload = JSON.stringify({ text: 'hello', api_key: 'canary-4711', nested: { token: 'canary-4711' } });
  const notices = JSON.stringify([{ topic: 'json', content: 'hello' }]);
  const row = { realm_id: realmId, bot_id: by.id, integration: 'json', stream: 'vanished', topic: null, notices };
  const [id] = await node.kernel.mysql('chat_deliveries').insert({
    ...row,
    dedupe_key: `json:own-${Math.random()}@x`,
    payload,
    state: 'pending',
    created_at: node.kernel.mysql.raw('NOW(3)'),
    ...more,
  });
  await node.call('/api/v1/external/json', {
    method: 'POST',
    query: { api_key: by.key, stream: 'test' },
    raw: `{"n":${id}}`,
  });
  await until(
    async () => (await rowOf(id!)).state,
    (state) => state === 'failed',
  );
  return id!;
}
const noticesTo = async (by: TestBot) => {
  const { body } = await owner.read([{ operator: 'pm-with', operand: 'notification-bot@zulip.com' }]);
  // The notification bot is created when it is first needed.
  return ((body.messages ?? []) as { content: string }[]).filter(({ content }) => content.includes(by.email));
};

describe('Dead letters', () => {
  let id: number;

  test('A dead letter cannot be replayed, because it was never sent', async () => {
    const unsent = await insertDead(await newBot(node.kernel, 'unsent'));
    expect(await full.post(`/jobs/deliveries/${unsent}/replay`)).toMatchObject({
      status: 400,
      body: { detail: `"${unsent}" is dead: it cannot be replayed, as only what was sent can` },
    });
    expect((await full.post(`/jobs/deliveries/${unsent}/discard`)).status).toBe(200);
  });

  test('Dead letters are not discarded by a filter whose name is misspelt, or by a body that is no filter', async () => {
    const kept = await insertDead(await newBot(node.kernel, 'kept'));
    const body = { detail: expect.stringContaining('intergration') };
    for (const remedy of ['retry', 'discard']) {
      const misspelt = await full.post(`/dead-letters/${remedy}`, { work_queue: 'deliveries', intergration: 'json' });
      expect(misspelt).toMatchObject({ status: 400, body });
      expect(await full.post(`/dead-letters/${remedy}?work_queue=deliveries`, [{ bot: 'x' }])).toMatchObject({
        status: 400,
      });
    }
    expect((await rowOf(kept)).state).toBe('failed');
    expect((await full.post(`/jobs/deliveries/${kept}/discard`)).status).toBe(200);
  });

  test('The owner of the bot gets one private message that says why a delivery became a dead letter', async () => {
    id = await insertDead(bot);
    const [notice, ...more] = await until(
      () => noticesTo(bot),
      (found) => found.length > 0,
    );
    expect(more).toEqual([]);
    expect(notice!.content).toContain(`delivery ${id} from json`);
    expect(notice!.content).toContain('Stream');
    expect(notice!.content).toContain('vanished');
  });

  test('A dead letter is listed with its reason and attempts, and found by bot, integration, ids and error', async () => {
    const item = {
      work_queue: 'deliveries',
      id: String(id),
      state: 'dead',
      subject: bot.email,
      kind: 'json',
      reason: expect.stringContaining('vanished'),
      attempts: 1,
    };
    const { body, status } = await full.get('/dead-letters');
    expect(status).toBe(200);
    expect(body.dead_letters).toEqual([expect.objectContaining(item)]);
    const { reference } = body.dead_letters[0];
    expect(reference).toMatch(/^own-/);
    for (const query of [
      { bot: bot.email },
      { bot: String(bot.id) },
      { integration: 'json' },
      { delivery: String(id) },
      { delivery: reference },
      { error: 'VANISHED' },
      { tenant: body.dead_letters[0].tenant },
      { work_queue: 'deliveries', bot: bot.email, error: 'exist' },
    ]) {
      expect({ query, ids: (await full.get('/dead-letters', query)).body.dead_letters.length }).toEqual({
        query,
        ids: 1,
      });
    }
    for (const query of [
      { bot: 'x@example.com' },
      { integration: 'github' },
      { delivery: '4711' },
      { error: '100%' },
      { tenant: 'chat:4711' },
    ]) {
      expect((await full.get('/dead-letters', query)).body.dead_letters).toEqual([]);
    }
  });

  test('A dead letter is shown with its payload and with credentials masked', async () => {
    const { body, text } = await full.get(`/jobs/deliveries/${id}`);
    expect(body).toMatchObject({
      stream: 'vanished',
      payload: { text: 'hello', api_key: '********', nested: { token: '********' } },
    });
    expect(text).not.toContain('canary');
  });

  test('A dead letter is sent when its cause is gone and an operator retries it', async () => {
    await admin.post('/users/me/subscriptions', { subscriptions: JSON.stringify([{ name: 'vanished' }]) });
    expect(await full.post(`/jobs/deliveries/${id}/retry`)).toMatchObject({ status: 200, body: { id: String(id) } });
    const row = await until(
      () => rowOf(id),
      ({ state }) => state === 'done',
    );
    expect(await admin.ids([{ operator: 'stream', operand: 'vanished' }])).toContain(row.message_id);
    expect(await full.post(`/jobs/deliveries/${id}/retry`)).toMatchObject({
      status: 400,
      body: { detail: `"${id}" is done: it cannot be retried` },
    });
  });

  test('A replay sends a delivery again as a new message', async () => {
    const before = await admin.ids([{ operator: 'stream', operand: 'vanished' }]);
    const { body } = await full.post(`/jobs/deliveries/${id}/replay`);
    await until(
      async () => (await rowOf(Number(body.id))).state,
      (state) => state === 'done',
    );
    const after = await admin.ids([{ operator: 'stream', operand: 'vanished' }]);
    expect(after).toHaveLength(before.length + 1);
  });
});

test('A dead letter is sent when the service delivers it again, and only then', async () => {
  const redelivered = await newBot(node.kernel, 'redelivered');
  const again = () => deliver(node, redelivered, 'same-name', 'again');
  expect((await again()).status).toBe(200);
  const done = () => node.kernel.mysql('chat_deliveries').where({ bot_id: redelivered.id, state: 'done' }).pluck('id');
  const [id] = (await until(done, (ids) => ids.length === 1)) as [number];
  await again();
  expect(await rowOf(id)).toMatchObject({ state: 'done', attempts: 1 });
  await node.kernel
    .mysql('chat_messages')
    .where({ origin: `delivery:${id}` })
    .update({ origin: null });
  await node.kernel.mysql('chat_deliveries').where({ id }).update({ state: 'failed', error: 'x', attempts: 5 });
  await again();
  expect(
    await until(
      () => rowOf(id),
      ({ state }) => state === 'done',
    ),
  ).toMatchObject({ attempts: 1, error: null });
});

test('Many dead letters of one bot cause few messages, and are retried or discarded together', async () => {
  const flooded = await newBot(node.kernel, 'flooded');
  const gone = { stream: 'gone-for-good' };
  const ids = [];
  for (let n = 0; n < 3; n++) ids.push(await insertDead(flooded, gone));
  // The owner is notified of the first at once; the others wait for a common notice.
  expect(await noticesTo(flooded)).toHaveLength(1);
  const count = async () => (await full.get('/dead-letters', { bot: flooded.email })).body.dead_letters.length;
  expect(await count()).toBe(3);
  const others = { work_queue: 'deliveries', tenant: 'chat:4711' };
  expect((await full.post('/dead-letters/discard', others)).body).toEqual({ count: 0 });
  expect((await full.post('/dead-letters/retry', { work_queue: 'deliveries', bot: flooded.email })).body).toEqual({
    count: 3,
  });
  await until(count, (dead) => dead === 3);
  expect((await full.post(`/jobs/deliveries/${ids[0]}/discard`)).status).toBe(200);
  expect((await rowOf(ids[0]!)).state).toBe('dropped');
  expect((await full.post('/dead-letters/discard', { work_queue: 'deliveries', error: 'gone-for-good' })).body).toEqual(
    {
      count: 2,
    },
  );
  expect(await count()).toBe(0);
  const { body } = await full.get('/jobs', { state: 'discarded', bot: flooded.email });
  expect(body.jobs).toHaveLength(3);
});

test('A delivery whose messages cannot be read any more is a dead letter, and the next one still arrives', async () => {
  const poisoned = await newBot(node.kernel, 'poisoned');
  const id = await insertDead(poisoned, { integration: 'github', stream: 'test', notices: '[["poison"' });
  expect(await rowOf(id)).toMatchObject({ state: 'failed', attempts: 1, error: expect.stringMatching(/./) });
  await until(
    () => node.kernel.mysql('chat_messages').where('content', 'like', `%"n": ${id}%`),
    (rows) => rows.length === 1,
  );
});
