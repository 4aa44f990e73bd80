// During an upgrade two releases work on the same store: what the later one writes in a new form waits for its workers.
import { consume, startConsumer } from '../../src/kernel/jobs/consume';
import { defineJob } from '../../src/kernel/jobs/job';
import type { Kernel } from '../../src/kernel/kernel';
import { done } from '../../src/kernel/mailbox/ending';
import { defineMailbox } from '../../src/kernel/mailbox/mailbox';
import { kernelMailTable } from '../../src/kernel/mailbox/kernel-mail';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { areOver, mailboxWith, rowsOf, sendBy, start, type Body } from '../support/kernel/mailboxes';
import { until } from '../support/until';

let cluster: Cluster;
let one: Kernel;
let send: ReturnType<typeof sendBy>;

beforeAll(async () => {
  cluster = await openCluster();
  one = await cluster.kernel();
  send = sendBy(one);
});
afterAll(() => cluster.close());

test('A job of a later form waits for a worker that knows it, and is then done', async () => {
  const later = defineJob<string>('probe-form', { version: 2 });
  const known: string[] = [];
  const run = (name: string) => (_: Kernel, word: string) => Promise.resolve(void known.push(`${name} ${word}`));
  const now = defineJob<string>('probe-form');
  await startConsumer(await cluster.kernel(), consume(now, { concurrency: 1, run: run('now') }));
  one.jobs.wake({ job: now, id: 'one', payload: 'first' });
  await until(() => known.length === 1);
  one.jobs.wake({ job: later, id: 'two', payload: 'second' });
  const queue = await one.jobs.registry.queue('probe-form');
  await until(
    () => queue.getDelayedCount(),
    (count) => count === 1,
  );
  await startConsumer(await cluster.kernel(), consume(later, { concurrency: 1, run: run('later') }));
  await until(() => known.length === 2);
  expect(known).toEqual(['now first', 'later second']);
});

test('A scheduled job has the number of its form as well', async () => {
  const later = defineJob<string>('probe-scheduled-form', { version: 2 });
  await one.jobs.schedule(later, 3_600_000, 'word');
  const [scheduled] = await (await one.jobs.registry.queue(later.name)).getJobs(['waiting', 'delayed']);
  expect(scheduled!.data).toEqual({ v: 2, payload: 'word' });
});

test('Mail of a later form waits for a worker that knows it, and keeps nothing else waiting', async () => {
  const mailbox = mailboxWith({ sweepMs: 300 });
  const later = defineMailbox(mailbox.name, { ...mailbox, table: kernelMailTable<Body>(mailbox.name, 2) });
  const words: string[] = [];
  await start(one, mailbox, (_turn, { body }) => Promise.resolve((words.push(`now ${body.word}`), done())));
  await send(later, 'second');
  await send(mailbox, 'first');
  const [waits] = await until(
    () => rowsOf(one, mailbox),
    ([, known]) => known?.state === 'done',
  );
  expect(waits).toMatchObject({ state: 'pending', attempts: 0 });
  await start(await cluster.kernel(), { ...later, job: defineJob(`${mailbox.job.name}-later`) }, (_turn, { body }) =>
    Promise.resolve((words.push(`later ${body.word}`), done())),
  );
  await areOver(one, mailbox);
  expect(words).toEqual(['now first', 'later second']);
});

test('A reply announced in a later format sends the waiting requester to the row', async () => {
  const kernel = await cluster.kernel({ JOB_REPLY_POLL_MS: '3600000' });
  const waited = kernel.replies.wait('asked-later', 60_000);
  await one
    .mysql('kernel_job_requests')
    .insert({ id: 'asked-later', job: 'probe', state: 'done', answer: '"here"', created_at: one.mysql.raw('NOW(3)') });
  await until(async () => {
    await one.redis.commands.publish(`${one.namespace}:channel:replies`, '{"v":2,"ids":["asked-later"]}');
    return kernel.replies.waiting === 0;
  });
  expect(await waited).toMatchObject({ id: 'asked-later', answer: '"here"' });
});
