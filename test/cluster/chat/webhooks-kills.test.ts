import type { Kernel } from '../../../src/kernel/kernel';
import { talker } from '../../support/chat/room';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { deliver, deliveredIn, newBots, pendingOf, startWebhookWorker } from '../../support/chat/deliveries';
import { newBot, type TestBot } from '../../support/operators';
import { killAll } from '../../support/processes/processes';
import { until } from '../../support/until';

let cluster: Cluster;
let node: TestNode;
let kernel: Kernel;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LEASE_MS: '1500', JOB_LOCK_MS: '1500' });
  await cluster.seed();
  node = await cluster.node();
  kernel = node.kernel;
});
afterEach(killAll);
afterAll(() => cluster.close());

const nothingWaits = () =>
  until(
    () => pendingOf(kernel),
    (left) => left === 0,
  );

/** Lets a worker reach the point, and kills it there. */
async function killAt(point: string): Promise<void> {
  const worker = await startWebhookWorker(cluster.environment, { PAUSE_AT: point });
  await worker.line(new RegExp(`paused at ${point}`));
  worker.kill('SIGKILL');
  await worker.ended;
}

/** A delivery to a stream that is deleted before the worker reads it. */
async function insertDoomed(bot: TestBot): Promise<void> {
  const { realm_id: realmId } = await kernel.mysql('chat_users').where({ id: bot.id }).first('realm_id');
  const row = {
    realm_id: realmId,
    bot_id: bot.id,
    integration: 'json',
    stream: 'gone',
    dedupe_key: 'doomed',
    payload: '{}',
    notices: '[{"topic":"json","content":"doomed"}]',
  };
  await kernel.mysql('chat_deliveries').insert({ ...row, state: 'pending', created_at: kernel.mysql.raw('NOW(3)') });
}

describe('Killed worker', () => {
  test.each(['before-commit', 'after-commit', 'before-finish'])(
    'A delivery whose worker is killed at %s becomes exactly one message',
    async (point) => {
      const [bot] = await newBots(kernel, 1, point);
      for (const name of ['a', 'b', 'c'])
        expect((await deliver(node, bot!, `${point}-${name}`, point)).status).toBe(200);
      await killAt(point);
      await startWebhookWorker(cluster.environment);
      await nothingWaits();
      expect(await deliveredIn(kernel, point)).toEqual([`${point}-a`, `${point}-b`, `${point}-c`]);
    },
  );

  test.each(['before-notice', 'after-notice'])(
    'The owner gets one notice of a dead letter when the worker is killed at %s',
    async (point) => {
      const bot = await newBot(kernel, point);
      await insertDoomed(bot);
      await killAt(point);
      await startWebhookWorker(cluster.environment);
      await nothingWaits();
      const told = () => kernel.mysql('chat_deliveries').where({ bot_id: bot.id }).first('state', 'notified_at');
      expect(await until(told, (row) => row.notified_at !== null)).toMatchObject({ state: 'failed' });
      const owner = await talker(node, 'member@example.com');
      const { body } = await owner.read([{ operator: 'pm-with', operand: 'notification-bot@zulip.com' }]);
      const contents = (body.messages as { content: string }[]).map(({ content }) => content);
      expect(contents.filter((content) => content.includes(bot.email))).toHaveLength(1);
    },
  );
});

test('Deliveries with unreadable messages become dead letters, and every delivery around them arrives in order', async () => {
  const [bot] = await newBots(kernel, 1, 'poison');
  const { realm_id: realmId } = await kernel.mysql('chat_users').where({ id: bot!.id }).first('realm_id');
  const poisons = [
    'null',
    '7',
    '"text"',
    '{"topic":"x"}',
    '[null]',

    'not json',
    '[{"a":',
  ];
  for (const [index, notices] of poisons.entries()) {
    await deliver(node, bot!, `around-${index}`, 'poison');
    const row = {
      realm_id: realmId,
      bot_id: bot!.id,
      integration: 'github',
      event: 'push',
      stream: 'test',
      payload: '{}',
      notices,
    };
    await kernel
      .mysql('chat_deliveries')
      .insert({ ...row, dedupe_key: `poison:${index}`, state: 'pending', created_at: kernel.mysql.raw('NOW(3)') });
  }
  await startWebhookWorker(cluster.environment);
  await nothingWaits();
  expect(await deliveredIn(kernel, 'poison')).toEqual(poisons.map((_, index) => `around-${index}`));
  const dead = await kernel.mysql('chat_deliveries').where({ bot_id: bot!.id, state: 'failed' }).pluck('attempts');
  expect(dead).toEqual(poisons.map(() => 1));
});

test('A flood of deliveries of one bot does not delay the deliveries of another bot', async () => {
  const FLOOD = 3000;
  const [flooder, quiet] = await newBots(kernel, 2, 'flood');
  const { realm_id: realmId } = await kernel.mysql('chat_users').where({ id: flooder!.id }).first('realm_id');
  const row = {
    realm_id: realmId,
    bot_id: flooder!.id,
    integration: 'json',
    stream: 'test',
    topic: 'flood',
    payload: '{}',
    notices: '[{"topic":"flood","content":"flood"}]',
  };
  const rows = Array.from({ length: FLOOD }, (_, index) => ({ ...row, dedupe_key: `f${index}`, state: 'pending' }));
  await kernel.mysql.batchInsert(
    'chat_deliveries',
    rows.map((each) => ({ ...each, created_at: new Date() })),
    500,
  );
  await startWebhookWorker(cluster.environment);
  await until(
    () => pendingOf(kernel, flooder),
    (left) => left < FLOOD,
  );
  await deliver(node, quiet!, 'quiet', 'quiet');
  await until(async () => (await deliveredIn(kernel, 'quiet')).length === 1);
  // Its turn came long before the flood was over.
  expect(await pendingOf(kernel, flooder)).toBeGreaterThan(FLOOD / 4);
});
