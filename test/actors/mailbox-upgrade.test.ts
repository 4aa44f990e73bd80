// During an upgrade the release before works on the same store, and so may the one after this.
import { consume, startConsumer } from '../../src/kernel/jobs/consume';
import { defineJob } from '../../src/kernel/jobs/job';
import type { Kernel } from '../../src/kernel/kernel';
import { adoptRows } from '../../src/kernel/mailbox/adopt';
import { Adoption } from '../../src/kernel/mailbox/adoption';
import { clearUp } from '../../src/kernel/mailbox/clear-up';
import { done } from '../../src/kernel/mailbox/ending';
import { FormerProcesses } from '../../src/kernel/mailbox/former-processes';
import { kernelMailTable } from '../../src/kernel/mailbox/kernel-mail';
import { mailboxWorker } from '../../src/kernel/mailbox/worker';
import { openCluster, type Cluster } from '../support/cluster';
import { areOver, mailboxWith, rowsOf, sendBy, start, TENANT, type Body } from '../support/mailboxes';
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

/** As release 0.1 does it. */
async function beat(kernel: Kernel, id: string, kind = 'worker'): Promise<() => Promise<void>> {
  const { namespace, redis } = kernel;
  await redis.commands.set(`${namespace}:${kind}:${id}`, '{}');
  await redis.commands.sadd(`${namespace}:${kind}s`, id);
  return async () => {
    await redis.commands.del(`${namespace}:${kind}:${id}`);
  };
}

test("A mailbox shared with the earlier release rests until that release's last worker has ended, and others do not", async () => {
  const end = await beat(one, 'former');
  const shared = mailboxWith({ restsDuringUpgrade: true, sweepMs: 300 });
  const own = mailboxWith({ sweepMs: 300 });
  const words: string[] = [];
  for (const mailbox of [shared, own]) {
    await start(one, mailbox, (_turn, { body }) => Promise.resolve((words.push(body.word), done())));
  }
  await send(shared, 'shared');
  await send(own, 'own');
  await areOver(one, own);
  expect(words).toEqual(['own']);
  await end();
  await areOver(one, shared);
  expect(words).toEqual(['own', 'shared']);
});

test('A worker that beats no more counts as ended, though it is still on the list', async () => {
  const kernel = await cluster.kernel({ NAMESPACE: `${one.namespace}-list` });
  await kernel.redis.commands.sadd(`${kernel.namespace}:workers`, 'killed');
  expect(await new FormerProcesses('worker').areThere(kernel)).toBe(false);
  await beat(kernel, 'alive');
  expect(await new FormerProcesses('worker').areThere(kernel)).toBe(true);
});

test('What the release before left in rows of its own is mail once its workers have ended, each row once', async () => {
  await one.mysql.raw('CREATE TABLE probe_left (id INT PRIMARY KEY, word VARCHAR(20), created_at DATETIME(3))');
  await one.mysql.raw("INSERT INTO probe_left VALUES (1, 'a', NOW(3)), (2, 'b', NOW(3))");
  const end = await beat(one, 'before');
  const adopt = (name: string) => (db: Kernel['mysql']) =>
    adoptRows(db, name, {
      rows: (from) => from('probe_left as l'),
      keys: ['l.id'],
      mail: {
        tenant: `'${TENANT}'`,
        address: "'x'",
        body: `CONCAT('{"word":"', l.word, '"}')`,
        due_at: 'l.created_at',
        created_at: 'l.created_at',
      },
      leave: (from, keys) =>
        from('probe_left')
          .whereIn('id', keys.flat() as number[])
          .delete(),
    });
  const named = mailboxWith({ sweepMs: 300 });
  const words: string[] = [];
  const handle = (_turn: unknown, mails: readonly { body: Body }[]) =>
    Promise.resolve(mails.map(({ body }) => (words.push(body.word), done())));
  await startConsumer(one, mailboxWorker({ ...named, adopt: adopt(named.name) }, { handle }));
  await send(named, 'new');
  await areOver(one, named);
  expect(words).toEqual(['new']);
  await end();
  await until(() => words.length === 3);
  // Whoever comes second finds nothing.
  await Promise.allSettled([adopt(named.name)(one.mysql), adopt(named.name)(one.mysql)]);
  await areOver(one, named);
  expect(words.toSorted()).toEqual(['a', 'b', 'new']);
  expect(await one.mysql('probe_left').count({ count: '*' })).toEqual([{ count: 0 }]);
});

test('What the release before left is looked for until its processes are long gone and nothing is left, and again if one comes', async () => {
  const kernel = await cluster.kernel({ NAMESPACE: `${one.namespace}-adoption` });
  let [looks, left, minutes] = [0, 0, 0];
  const adoption = new Adoption(
    () => Promise.resolve(((looks += 1), left)),
    () => minutes * 60_000,
  );
  const hasLooked = async () => {
    const before = looks;
    await adoption.look(kernel);
    return looks > before;
  };
  // Not at once: a node that was killed may have left what does not count as left yet.
  expect([await hasLooked(), await hasLooked()]).toEqual([true, true]);
  [left, minutes] = [1, 1];
  expect([await hasLooked(), await hasLooked()]).toEqual([true, true]);
  left = 0;
  expect([await hasLooked(), await hasLooked()]).toEqual([true, false]);
  const end = await beat(kernel, 'node', 'node');
  // Its workers look after it themselves, its nodes do not.
  await until(hasLooked);
  minutes = 5;
  expect(await hasLooked()).toBe(true);
  const endWorker = await beat(kernel, 'worker');
  await until(async () => !(await hasLooked()));
  await Promise.all([end(), endWorker()]);
  await until(hasLooked);
  minutes = 6;
  await until(async () => !(await hasLooked()));
});

test('Schedules and jobs of the release before are removed when its last worker has ended, and not sooner', async () => {
  const kernel = await cluster.kernel({ NAMESPACE: `${one.namespace}-clear` });
  const end = await beat(kernel, 'former');
  const mailbox = mailboxWith();
  const worker = mailboxWorker(mailbox, { handle: () => Promise.resolve([]) });
  const gone = defineJob<null>('probe-former-sweep', { attempts: 1, backoffMs: 1000 });
  await kernel.jobs.schedule(gone, 3_600_000, null);
  await kernel.jobs.wakeOne(defineJob<null>(mailbox.name, { attempts: 1, backoffMs: 1000 }), 'old', null);
  const left = async () => (await kernel.jobs.registry.queue(mailbox.name)).count();
  await clearUp(kernel, { probe: worker });
  expect([await left(), await kernel.jobs.isScheduled(gone)]).toEqual([1, true]);
  await end();
  await until(async () => (await left()) === 0 && !(await kernel.jobs.isScheduled(gone)));
});

test('A job of a later form waits for a worker that knows it, and is then done', async () => {
  const options = { attempts: 1, backoffMs: 100 };
  const later = defineJob<string, string>('probe-form', { ...options, version: 2 });
  const known: string[] = [];
  const run = (name: string) => (_: Kernel, word: string) => Promise.resolve((known.push(name), word));
  const now = defineJob<string, string>('probe-form', options);
  await startConsumer(await cluster.kernel(), consume(now, { concurrency: 1, run: run('now') }));
  expect(await one.jobs.request(now, 'first')).toBe('first');
  const answer = one.jobs.request(later, 'second', 60_000);
  const queue = await one.jobs.registry.queue('probe-form');
  await until(
    () => queue.getDelayedCount(),
    (count) => count === 1,
  );
  await startConsumer(await cluster.kernel(), consume(later, { concurrency: 1, run: run('later') }));
  expect(await answer).toBe('second');
  expect(known).toEqual(['now', 'later']);
});

test('A scheduled job has the number of its form as well', async () => {
  const later = defineJob<string>('probe-scheduled-form', { attempts: 1, backoffMs: 100, version: 2 });
  await one.jobs.schedule(later, 3_600_000, 'word');
  const [scheduled] = await (await one.jobs.registry.queue(later.name)).getJobs(['waiting', 'delayed']);
  expect(scheduled!.data).toEqual({ v: 2, payload: 'word' });
});

test('Mail of a later form waits for a worker that knows it, and keeps nothing else waiting', async () => {
  const mailbox = mailboxWith({ sweepMs: 300 });
  const later = { ...mailbox, table: kernelMailTable<Body>(mailbox.name, 2) };
  const words: string[] = [];
  await start(one, mailbox, (_turn, { body }) => Promise.resolve((words.push(`now ${body.word}`), done())));
  await send(later, 'second');
  await send(mailbox, 'first');
  const [waits] = await until(
    () => rowsOf(one, mailbox),
    ([, known]) => known?.state === 'done',
  );
  expect(waits).toMatchObject({ state: 'pending', attempts: 0 });
  await start(
    await cluster.kernel(),
    { ...later, job: defineJob(`${mailbox.job.name}-later`, { attempts: 1, backoffMs: 1000 }) },
    (_turn, { body }) => Promise.resolve((words.push(`later ${body.word}`), done())),
  );
  await areOver(one, mailbox);
  expect(words).toEqual(['now first', 'later second']);
});

test('A reply announced in a later format sends the waiting requester to the row', async () => {
  const kernel = await cluster.kernel({ ASK_POLL_MS: '3600000' });
  const waited = kernel.replies.wait('asked-later', 60_000);
  await one
    .mysql('kernel_asks')
    .insert({ id: 'asked-later', job: 'probe', state: 'done', answer: '"here"', created_at: one.mysql.raw('NOW(3)') });
  await until(async () => {
    await one.redis.commands.publish(`${one.namespace}:channel:replies`, '{"v":2,"ids":["asked-later"]}');
    return kernel.replies.waiting === 0;
  });
  expect(await waited).toMatchObject({ id: 'asked-later', answer: '"here"' });
});
