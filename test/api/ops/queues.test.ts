import { startConsumer, consume } from '../../../src/kernel/jobs/consume';
import { tenantOf } from '../../../src/kernel/actor/address';
import { defineJob } from '../../../src/kernel/jobs/job';
import { watchWorkerHealth } from '../../../src/kernel/jobs/worker-health';
import type { Kernel } from '../../../src/kernel/kernel';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { wakeBy } from '../../support/kernel/mailboxes';
import { operator, type OperatorClient } from '../../support/operators';
import { until } from '../../support/until';

const job = defineJob<{ n: number; token: string }>('test-work');
const secretive = { n: 0, token: 'canary-4711' };

let cluster: Cluster;
let node: TestNode;
let worker: Kernel;
let full: OperatorClient;
/** What the worker does with a job. */
let work: (n: number) => Promise<void> = () => Promise.resolve();

beforeAll(async () => {
  cluster = await openCluster({ WORKER_BEAT_MS: '100' });
  node = await cluster.node();
  worker = await cluster.kernel({ NODE_NAME: 'worker-seven' });
  await startConsumer(
    worker,
    consume(job, {
      concurrency: 1,
      schedule: () => ({ everyMs: 3_600_000, payload: secretive }),
      run: (_, { n }) => work(n),
    }),
  );
  watchWorkerHealth(worker, { heartbeatFile: '', onStall: () => {} });
  full = await operator(node.kernel, node, 'ada', 'full');
});
afterAll(() => cluster.close());

const queue = async () =>
  (await full.get('/queues')).body.queues.find((each: { queue: string }) => each.queue === 'test-work');
const add = async (n: number) => {
  const queue = await node.kernel.jobs.registry.queue('test-work');
  await queue.add('test-work', { payload: { ...secretive, n } }, { jobId: `n-${n}`, attempts: 2, backoff: 1 });
};

describe('Queues', () => {
  test('A queue is paused and resumed on all workers, and jobs added meanwhile wait and are counted', async () => {
    const done: number[] = [];
    work = (n) => Promise.resolve(void done.push(n));
    expect((await full.post('/queues/test-work/pause')).body).toEqual({ queue: 'test-work', is_paused: true });
    await add(1);
    const seen = await until(queue, ({ waiting }) => waiting === 1);
    expect(seen).toMatchObject({ is_paused: true, waiting: 1, active: 0 });
    await until(queue, ({ oldest_ms: age }) => age > 100);
    expect(done).not.toContain(1);
    await full.post('/queues/test-work/resume');
    await until(() => done.includes(1));
    expect(await until(queue, ({ waiting }) => waiting === 0)).toMatchObject({ is_paused: false, oldest_ms: null });
  });

  test('A queue shows the rate, failures and latency of all its workers together', async () => {
    const shown = await until(queue, ({ done_per_minute: rate }) => rate > 0);
    expect(shown.latency_ms.p50).toBeGreaterThan(0);
    expect(shown.latency_ms.p95).toBeGreaterThanOrEqual(shown.latency_ms.p50);
  });

  test('Pausing an unknown queue gets 404', async () => {
    expect(await full.post('/queues/nothing/pause')).toMatchObject({
      status: 404,
      body: { status: 404, detail: expect.any(String) },
    });
  });
});

test('A failed job is a dead letter with its reason, and can be retried or discarded', async () => {
  work = () => Promise.reject(new Error('broken, password=canary-4711'));
  await add(2);
  await add(3);
  const dead = () =>
    full.get('/dead-letters', { work_queue: 'jobs', error: 'BROKEN' }).then(({ body }) => body.dead_letters);
  const found = await until(dead, (list) => list.length === 2);
  expect(found[1]).toMatchObject({
    id: 'test-work:n-2',
    subject: 'test-work',
    attempts: 2,
    reason: 'broken, password=********',
  });
  const { text, body } = await full.get('/jobs/jobs/test-work:n-2');
  expect(body.payload).toEqual({ payload: { n: 2, token: '********' } });
  expect(text).not.toContain('canary');
  expect((await queue()).failed_per_minute).toBeGreaterThanOrEqual(0);

  const done: number[] = [];
  work = (n) => Promise.resolve(void done.push(n));
  expect((await full.post('/jobs/jobs/test-work:n-3/discard')).status).toBe(200);
  expect((await full.post('/dead-letters/retry', { work_queue: 'jobs', subject: 'test-work' })).body).toEqual({
    count: 1,
  });
  await until(() => done.includes(2));
  expect(done).not.toContain(3);
  expect(await dead()).toEqual([]);
  expect(await full.post('/jobs/jobs/test-work:n-3/retry')).toMatchObject({ status: 404 });
  expect(await full.post('/jobs/jobs/test-work:n-2/replay')).toMatchObject({
    status: 400,
    body: { detail: 'There is nothing to replay among jobs: they can only be retried or discarded' },
  });
});

test('Jobs are found by their tenant', async () => {
  const tenant = tenantOf('test', 'seven');
  const owned = defineJob<{ who: string }>('test-owned', { whose: () => tenant });
  const plain = defineJob<{ who: string }>('test-plain');
  const { kernel } = node;
  await wakeBy(kernel, { job: owned, id: 'owned', payload: { who: 'a' } });
  await wakeBy(kernel, { job: plain, id: 'of-nobody', payload: { who: 'b' } });
  expect((await full.get('/jobs', { tenant })).body.jobs).toMatchObject([{ id: 'test-owned:owned', tenant }]);
  expect((await full.get('/jobs/jobs/test-plain:of-nobody')).body.tenant).toBeNull();
  expect((await full.get('/jobs', { tenant: 'test:eight' })).body.jobs).toEqual([]);
});

test('A waiting job can be discarded, but not the next run of a schedule', async () => {
  await full.post('/queues/test-work/pause');
  await add(40);
  expect((await full.post('/jobs/jobs/test-work:n-40/discard')).status).toBe(200);
  expect((await full.get('/jobs/jobs/test-work:n-40')).status).toBe(404);
  await full.post('/queues/test-work/resume');
  const { body } = await full.get('/jobs', { work_queue: 'jobs', subject: 'test-work', state: 'waiting' });
  const [scheduled] = body.jobs as { id: string }[];
  expect(await full.post(`/jobs/jobs/${scheduled!.id}/discard`)).toMatchObject({
    status: 400,
    body: { detail: `"${scheduled!.id}" is waiting: it cannot be discarded` },
  });
});

test('Schedules show when each job is due', async () => {
  const { body } = await full.get('/schedules');
  expect(body.schedules).toEqual([
    expect.objectContaining({
      queue: 'test-work',
      name: 'test-work',
      every_ms: 3_600_000,
      next_at: expect.stringMatching(/Z$/),
    }),
  ]);
});

test('Workers are listed with their heartbeat and what each is doing, until they are gone', async () => {
  let finish = () => {};
  work = () => new Promise((resolve) => void (finish = resolve));
  await add(4);
  const workers = () => full.get('/workers').then(({ body }) => body.workers);
  const [seen] = await until(workers, ([one]) => one?.queues[0]?.running.length > 0);
  expect(seen).toMatchObject({
    name: 'worker-seven',
    pid: process.pid,
    queues: [{ queue: 'test-work', concurrency: 1, running: [{ id: 'n-4', payload: { n: 4, token: '********' } }] }],
  });
  expect(Date.now() - Date.parse(seen.beat_at)).toBeLessThan(30_000);
  finish();
  await worker.lifecycle.drain();
  expect(await workers()).toEqual([]);
});

test('Metrics exist for queues, dead letters and workers', async () => {
  const { text } = await node.call('/metrics');
  expect(text).toMatch(/partyline_queue_jobs\{queue="test-work",state="waiting",node="[^"]+"\} 0/);
  for (const name of ['queue_oldest_seconds', 'queue_paused', 'queue_done_per_minute', 'queue_failed_per_minute']) {
    expect(text).toContain(`partyline_${name}{queue="test-work"`);
  }
  expect(text).toMatch(/partyline_queue_latency_seconds\{queue="test-work",quantile="0.95"/);
  expect(text).toMatch(/partyline_dead_letters\{work_queue="deliveries"/);
  expect(text).toMatch(/partyline_workers\{/);
});

test('The actions of operators are written to the audit trail', async () => {
  const { body } = await full.get('/audit');
  const actions = body.entries.map(({ action, target, count, operator: by }: Record<string, unknown>) => [
    by,
    action,
    target,
    count,
  ]);
  expect(actions.slice(-4)).toEqual([
    ['ada', 'retry', 'jobs test-work:n-2', 1],
    ['ada', 'discard', 'jobs test-work:n-3', 1],
    ['ada', 'resume', 'test-work', null],
    ['ada', 'pause', 'test-work', null],
  ]);
});
