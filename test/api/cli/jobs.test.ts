import type { Kernel } from '../../../src/kernel/kernel';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { newBot, type TestBot } from '../../support/operators';
import { cliOf, type Cli } from './run';

let cluster: Cluster;
let kernel: Kernel;
let cli: Cli;
let bot: TestBot;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  kernel = await cluster.kernel();
  cli = cliOf(cluster.environment);
  bot = await newBot(kernel, 'cli-bot');
  const { realm_id: realmId } = await kernel.mysql('chat_users').where({ id: bot.id }).first('realm_id');
  const row = { realm_id: realmId, bot_id: bot.id, integration: 'json', stream: 'gone', attempts: 1, state: 'failed' };
  const rows = [1, 2, 3].map((n) => ({
    ...row,
    dedupe_key: `json:own-${n}@x`,
    payload: JSON.stringify({ n, secret: 'canary-4711' }),
    notices: '[]',
    error: `Stream 'gone' does not exist (${n})`,
    created_at: new Date(),
    finished_at: new Date(),
    notified_at: new Date(),
  }));
  await kernel.mysql('chat_deliveries').insert(rows);
  await (await kernel.jobs.registry.queue('test-work')).add('x', { payload: 1 });
});
afterAll(() => cluster.close());

const stateOf = (own: string) =>
  kernel
    .mysql('chat_deliveries')
    .where({ dedupe_key: `json:${own}@x` })
    .first('id', 'state') as Promise<{ id: number; state: string }>;

describe('partyline jobs', () => {
  test('The command jobs list prints dead letters with their reasons, as a table and as JSON', async () => {
    const { out, code } = await cli(['jobs', 'list']);
    expect(code).toBe(0);
    expect(out).toMatch(/^work queue +id +state +subject +kind +attempts +created +reason$/m);
    expect(out.match(/cli-bot@example\.com +json +1 /g)).toHaveLength(3);
    const { json } = await cli(['jobs', 'list', '--json', '--error', '(2)']);
    expect(json.jobs).toEqual([
      expect.objectContaining({ work_queue: 'deliveries', reference: 'own-2', state: 'dead', subject: bot.email }),
    ]);
  });

  test('The command jobs search finds jobs by bot, integration, delivery and state', async () => {
    for (const [options, count] of [
      [['--integration', 'json', '--bot', bot.email, '--state', 'dead', '--limit', '2'], 2],
      [['--delivery', 'own-3'], 1],
    ] as const) {
      const { json } = await cli(['jobs', 'search', '--json', ...options]);
      expect({ options, count: json.jobs.length }).toEqual({ options, count });
    }
    expect(await cli(['jobs', 'search', '--work-queue', 'nothing'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/there are deliveries, [a-z, -]*orders, [a-z, -]*company-webhooks, [a-z, -]*jobs/),
    });
  });

  test('The command jobs show prints the payload with credentials masked', async () => {
    const { id } = await stateOf('own-1');
    const { out } = await cli(['jobs', 'show', 'deliveries', String(id)]);
    expect(out).toContain('"n": 1');
    expect(out).toContain('"secret": "********"');
    expect(out).not.toContain('canary');
    expect((await cli(['jobs', 'show', 'deliveries', '4711'])).err).toBe(
      'partyline: There is no "4711" among deliveries\n',
    );
  });

  test('The commands jobs discard and jobs replay change the delivery as they say', async () => {
    const { id } = await stateOf('own-1');
    expect((await cli(['jobs', 'discard', 'deliveries', String(id)])).out).toBe(`discarded ${id}\n`);
    expect((await stateOf('own-1')).state).toBe('dropped');
    expect((await cli(['jobs', 'replay', 'deliveries', String(id)])).err).toContain('only what was sent can');
    await kernel.mysql('chat_deliveries').where({ id }).update({ state: 'done' });
    const { json } = await cli(['jobs', 'replay', 'deliveries', String(id), '--json']);
    const copy = await kernel.mysql('chat_deliveries').where({ id: json.id }).first();
    expect(copy).toMatchObject({ state: 'pending', stream: 'gone', attempts: 0 });
  });

  test('The commands jobs retry and jobs retry-all make dead letters pending again and write to the audit trail', async () => {
    const second = await stateOf('own-2');
    await cli(['jobs', 'retry', 'deliveries', String(second.id)]);
    expect((await stateOf('own-2')).state).toBe('pending');
    expect((await cli(['jobs', 'retry-all', '--bot', bot.email, '--json'])).json).toEqual({ count: 1 });
    expect((await stateOf('own-3')).state).toBe('pending');
    const actions = await kernel.mysql('ops_audit').orderBy('id').select('via', 'action', 'count');
    expect(actions.map(({ via, action, count }) => [via, action, count])).toEqual([
      ['cli', 'discard', 1],
      ['cli', 'replay', 1],
      ['cli', 'retry', 1],
      ['cli', 'retry', 1],
    ]);
  });

  test('The commands jobs queues, pause and resume show, pause and resume queues', async () => {
    expect((await cli(['jobs', 'pause', 'test-work'])).out).toBe('paused test-work\n');
    const { json } = await cli(['jobs', 'queues', '--json']);
    expect(json.queues).toContainEqual(expect.objectContaining({ queue: 'test-work', is_paused: true, waiting: 1 }));
    expect((await cli(['jobs', 'resume', 'test-work'])).out).toBe('resumed test-work\n');
    expect((await cli(['jobs', 'queues'])).out).toMatch(/^test-work +1 +[\d.]+ s /m);
  });

  test('The command line says that there are no schedules, no workers and no queue of that name', async () => {
    expect((await cli(['jobs', 'schedules'])).out).toBe('nothing is scheduled\n');
    expect((await cli(['jobs', 'workers'])).out).toBe('there are no workers: is one running?\n');
    expect(await cli(['jobs', 'pause', 'nothing', '--json'])).toMatchObject({
      code: 1,
      json: { error: 'There is no queue named "nothing"' },
    });
  });
});
