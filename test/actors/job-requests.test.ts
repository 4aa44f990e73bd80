import { Fault } from '../../src/kernel/fault';
import { consume, startConsumer } from '../../src/kernel/jobs/consume';
import { defineJob, jobDelivery } from '../../src/kernel/jobs/job';
import type { Kernel } from '../../src/kernel/kernel';
import { tenantOf } from '../../src/kernel/actor/address';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { openTcpProxy } from '../support/proxies/tcp-proxy';
import { until } from '../support/until';

let cluster: Cluster;
let requester: Kernel;
let worker: Kernel;

const double = defineJob<number, number>('double', { attempts: 3, backoffMs: 10 });
const flaky = defineJob<string, string>('flaky', { attempts: 3, backoffMs: 10 });
const refused = defineJob<string, string>('refused', { attempts: 3, backoffMs: 10 });
const hopeless = defineJob<string, string>('hopeless', { attempts: 2, backoffMs: 10 });
const ignored = defineJob<string, string>('ignored', { attempts: 1, backoffMs: 10 });
const severed = defineJob<string, string>('severed', { attempts: 2, backoffMs: 10 });
const noted = defineJob<{ note: string }>('noted', { attempts: 1, backoffMs: 10 });
const runs = new Map<string, number>();
const count = (name: string) => runs.set(name, (runs.get(name) ?? 0) + 1).get(name)!;

beforeAll(async () => {
  cluster = await openCluster();
  requester = await cluster.kernel();
  worker = await cluster.kernel();
  const start = [
    consume(double, { concurrency: 4, run: (_, number) => Promise.resolve(number * 2) }),
    consume(flaky, {
      concurrency: 1,
      run: (_, word) => (count('flaky') < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve(word)),
    }),
    consume(refused, {
      concurrency: 1,
      run() {
        count('refused');
        return Promise.reject(new Fault('conflict', 'Taken', { code: 'TAKEN', fields: { by: 'you' } }));
      },
    }),
    consume(hopeless, { concurrency: 1, run: () => Promise.reject(new Error('secret inside text')) }),
    consume(noted, { concurrency: 1, run: (_, { note }) => Promise.resolve(void count(note)) }),
  ];
  for (const consumer of start) await startConsumer(worker, consumer);
});
afterAll(() => cluster.close());

test('A process that requests a job gets the reply of the worker that runs it', async () => {
  const answers = await Promise.all([1, 2, 3, 4, 5].map((number) => requester.jobs.request(double, number)));
  expect(answers).toEqual([2, 4, 6, 8, 10]);
});

test('A reply arrives from its row in MySQL when no message of Redis announces it', async () => {
  const deaf = await cluster.kernel({ JOB_REPLY_POLL_MS: '50' });
  jest.spyOn(deaf.channel, 'listen').mockReturnValue(new Promise(() => {}));
  expect(await deaf.jobs.request(double, 21)).toBe(42);
});

test('A requested job that fails is tried again until it succeeds', async () => {
  expect(await requester.jobs.request(flaky, 'word')).toBe('word');
  expect(runs.get('flaky')).toBe(3);
});

test('A Fault that a job throws is thrown at the requester, and the job is not tried again', async () => {
  const fault = await requester.jobs.request(refused, 'x').catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(Fault);
  expect(fault).toMatchObject({ kind: 'conflict', message: 'Taken', code: 'TAKEN', fields: { by: 'you' } });
  expect(runs.get('refused')).toBe(1);
});

test('A job that fails for good is reported to the requester without its internal error text', async () => {
  const fault = await requester.jobs.request(hopeless, 'x').catch((error: unknown) => error);
  expect(fault).toMatchObject({ kind: 'internal', message: 'The job failed' });
});

test('A requested job that no worker runs ends in a timeout at the deadline, and no request stays waiting', async () => {
  const fault = await requester.jobs.request(ignored, 'x', 300).catch((error: unknown) => error);
  expect(fault).toMatchObject({ kind: 'timeout', code: 'NO_ANSWER' });
  expect(requester.replies.waiting).toBe(0);
});

test('A job delivered by a transaction runs once, however often its outbox row is published', async () => {
  await requester.transaction(async (tx) =>
    tx.deliver(jobDelivery(tenantOf('test', 'jobs'), noted, { payload: { note: 'once' } })),
  );
  await until(() => runs.get('once') === 1);
  const rows = await requester
    .mysql('kernel_outbox')
    .where({ publisher: 'job', tenant: tenantOf('test', 'jobs') })
    .select('*');
  await worker.outbox.publish(rows);
  await requester.jobs.request(double, 1);
  expect(runs.get('once')).toBe(1);
});

test.each([
  ['reads', () => Promise.resolve('done')],
  ['is done', () => Promise.resolve('done')],
  ['fails for good', () => Promise.reject(new Fault('conflict', 'Taken', { code: 'TAKEN' }))],
])(
  'A job whose worker loses MySQL when it %s keeps its attempts, and is answered when MySQL is back',
  async (when, end) => {
    const url = new URL(cluster.environment['DATABASE_URL']!);
    const proxy = await openTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    const cutOff = await cluster.kernel({ DATABASE_URL: url.href });
    const job = { ...severed, name: `severed-${when.replaceAll(' ', '-')}` };
    proxy.sever(when === 'reads');
    await startConsumer(
      cutOff,
      consume(job, {
        concurrency: 1,
        run() {
          if (count(job.name) === 1 && when !== 'reads') proxy.sever(true);
          return end();
        },
      }),
    );
    const answer = requester.jobs.request(job, 'word').catch((error: Fault) => error.code);
    const queue = await requester.jobs.registry.queue(job.name);
    const started = async () => (await queue.getJobs())[0]?.attemptsStarted ?? 0;
    await until(started, (times) => times > severed.attempts + 1);
    proxy.sever(false);
    expect(await answer).toBe(when === 'fails for good' ? 'TAKEN' : 'done');
    await cutOff.lifecycle.drain();
    await proxy.close();
  },
);
