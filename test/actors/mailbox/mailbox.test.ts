import { tenantOf } from '../../../src/kernel/actor/address';
import { Fault } from '../../../src/kernel/fault';
import type { Kernel } from '../../../src/kernel/kernel';
import { done, postponed } from '../../../src/kernel/mailbox/ending';
import { wakeOf } from '../../../src/kernel/mailbox/mailbox';
import { kernelMailAdmin } from '../../../src/kernel/mailbox/kernel-mail';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { areOver, backlogOf, mailboxWith, rowsOf, sendBy, start, TENANT, wakeBy } from '../../support/kernel/mailboxes';
import { until } from '../../support/until';

const OTHER = tenantOf('probe', 'two');

let cluster: Cluster;
let one: Kernel;
let two: Kernel;
let send: ReturnType<typeof sendBy>;

beforeAll(async () => {
  cluster = await openCluster();
  one = await cluster.kernel({ NODE_NAME: 'one' });
  two = await cluster.kernel({ NODE_NAME: 'two' });
  send = sendBy(one);
});
afterAll(() => cluster.close());

test('Mail that two workers are woken for is handled once, in order, and one address does not wait for another', async () => {
  const mailbox = mailboxWith();
  const words: string[] = [];
  let openX = () => {};
  const closed = new Promise<void>((resolve) => (openX = resolve));
  for (const kernel of [one, two]) {
    await start(kernel, mailbox, async (_turn, { at, body }) => {
      if (at === 'x') await closed;
      words.push(body.word);
      return done();
    });
  }
  for (const word of ['x1', 'x2', 'x3']) await send(mailbox, word, 'x');
  for (const word of ['y1', 'y2']) await send(mailbox, word, 'y');
  await until(() => words.length === 2);
  expect(words).toEqual(['y1', 'y2']);
  openX();
  await areOver(one, mailbox);
  expect(words.slice(2)).toEqual(['x1', 'x2', 'x3']);
});

test('A failed transaction sends no mail, and the sweep handles mail whose wake was lost', async () => {
  const mailbox = mailboxWith({ sweepMs: 300 });
  const words: string[] = [];
  const failing = one.transaction(async (tx) => {
    mailbox.at(TENANT, 'x').send(tx, { word: 'never' });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await send(mailbox, 'late');
  await one.jobs.registry.queue(mailbox.job.name).then((queue) => queue.obliterate({ force: true }));
  await start(two, mailbox, (_turn, { body }) => Promise.resolve((words.push(body.word), done())));
  await areOver(one, mailbox);
  expect(words).toEqual(['late']);
});

test('The sweep handles mail whose wake job was taken by a worker that died', async () => {
  const mailbox = mailboxWith({ sweepMs: 300 });
  const words: string[] = [];
  // As good as lost: while a job with this id exists, another one adds nothing.
  const { job, id, payload } = wakeOf(mailbox, { id: 'x', tenant: TENANT });
  await wakeBy(one, { job, id, payload, afterMs: 600_000 });
  await send(mailbox, 'orphan');
  await start(two, mailbox, (_turn, { body }) => Promise.resolve((words.push(body.word), done())));
  await areOver(one, mailbox);
  expect(words).toEqual(['orphan']);
});

test('The sweep handles mail even if the worker woken by an earlier sweep died too', async () => {
  const mailbox = mailboxWith({ sweepMs: 300 });
  const words: string[] = [];
  const { job, id, payload } = wakeOf(mailbox, { id: 'x', tenant: TENANT });
  for (const taken of [id, `${id}~swept`]) await wakeBy(one, { job, id: taken, payload, afterMs: 600_000 });
  const lease = { address: `${mailbox.name}/x`, holder: 'dead', held_until: one.mysql.raw('NOW(3)'), takeovers: 0 };
  await one.mysql('kernel_mailbox_leases').insert(lease);
  await send(mailbox, 'orphan');
  await start(two, mailbox, (_turn, { body }) => Promise.resolve((words.push(body.word), done())));
  await areOver(one, mailbox);
  expect(words).toEqual(['orphan']);
});

test('A failing mail is retried, becomes a dead letter at the third failure, and blocks no other mail', async () => {
  const mailbox = mailboxWith();
  const words: string[] = [];
  await start(one, mailbox, (_turn, { body: { word } }) => {
    words.push(word);
    if (word === 'bad') return Promise.reject(new Error('the other end is away'));
    if (word === 'nonsense') return Promise.reject(new Fault('invalid', 'Nobody can read this'));
    return Promise.resolve(done());
  });
  for (const word of ['bad', 'nonsense', 'good']) await send(mailbox, word);
  await areOver(one, mailbox);
  expect(words).toEqual(['bad', 'bad', 'bad', 'nonsense', 'good']);
  expect(await rowsOf(one, mailbox)).toMatchObject([
    { state: 'failed', attempts: 3, reason: 'the other end is away' },
    { state: 'failed', attempts: 1, reason: 'Nobody can read this' },
    { state: 'done', attempts: 1, reason: null },
  ]);
});

test('Mail that is postponed uses up no attempt, and lets later mail pass if the order is loose', async () => {
  const mailbox = mailboxWith({ order: 'loose' });
  let isReady = false;
  const words: string[] = [];
  await start(one, mailbox, (_turn, { body: { word } }) => {
    if (word === 'waits' && !isReady) return Promise.resolve(postponed('not ready', 100));
    words.push(word);
    return Promise.resolve(done());
  });
  await send(mailbox, 'waits');
  await send(mailbox, 'passes');
  await until(() => words.length === 1);
  isReady = true;
  await areOver(one, mailbox);
  expect(words).toEqual(['passes', 'waits']);
  expect((await rowsOf(one, mailbox)).map(({ attempts }) => attempts)).toEqual([1, 1]);
});

test('A tenant with much mail does not delay the mail of another tenant', async () => {
  const mailbox = mailboxWith({ concurrency: 2 });
  const tenants: string[] = [];
  let isOpen = false;
  await start(one, mailbox, async (_turn, { body }) => {
    tenants.push(body.word);
    if (body.word === 'many') await until(() => isOpen);
    return done();
  });
  for (let count = 0; count < 10; count += 1) await send(mailbox, 'many', `many-${count}`);
  await until(() => tenants.length > 0);
  await send(mailbox, 'few', 'few', OTHER);
  await until(() => tenants.includes('few'));
  expect(tenants).toEqual(['many', 'few']);
  isOpen = true;
  await areOver(one, mailbox);
});

test('Mail that waits for a retry, and the mail behind it in order, is not reported as late', async () => {
  for (const [order, behind] of [
    ['strict', null],
    ['loose', expect.any(Number)],
  ] as const) {
    const mailbox = mailboxWith({ order });
    const admin = kernelMailAdmin(mailbox, 'mail of a test');
    await send(mailbox, 'one', 'x');
    const later = new Date(Date.now() + 3_600_000);
    await one.mysql('kernel_mail').where({ mailbox: mailbox.name }).update({ due_at: later });
    expect(await backlogOf(one, admin)).toMatchObject({ waiting: 1, oldestMs: null });
    await send(mailbox, 'behind', 'x');
    expect(await backlogOf(one, admin)).toMatchObject({ waiting: 2, oldestMs: behind });
    await send(mailbox, 'elsewhere', 'y');
    expect(await backlogOf(one, admin)).toMatchObject({ waiting: 3, oldestMs: expect.any(Number) });
  }
});

test('Operators find mail in the admin view of its mailbox, retry dead letters and discard them', async () => {
  const mailbox = mailboxWith({ attempts: 1 });
  const admin = kernelMailAdmin(mailbox, 'mail of a test');
  let isAway = true;
  await start(one, mailbox, () => (isAway ? Promise.reject(new Error('100% away')) : Promise.resolve(done())));
  await send(mailbox, 'one', 'x');
  await send(mailbox, 'two', 'y');
  await areOver(one, mailbox);
  expect(await backlogOf(one, admin)).toMatchObject({ waiting: 0, dead: 2, oldestMs: null });
  const dead = await admin.search(one, { state: 'dead', error: '0% AWAY', limit: 10 });
  expect(dead).toMatchObject([
    { subject: 'y', reason: '100% away' },
    { subject: 'x', attempts: 1, tenant: TENANT },
  ]);
  const [y, x] = dead.map(({ id }) => id) as [string, string];
  expect(await admin.search(one, { subject: 'x', limit: 10 })).toMatchObject([{ id: x }]);
  expect(await admin.search(one, { before: y, limit: 1 })).toMatchObject([{ id: x }]);
  expect(await admin.get(one, x)).toMatchObject({ payload: { word: 'one' } });
  isAway = false;
  expect(await one.transaction((tx) => admin.apply(one, tx, 'retry', [x]))).toEqual([x]);
  expect(await one.transaction((tx) => admin.apply(one, tx, 'discard', [y, x]))).toContain(y);
  await until(async () => (await rowsOf(one, mailbox)).map(({ state }) => state).includes('dropped'));
  await areOver(one, mailbox);
});
