import { tenantOf, type Tenant } from '../../../src/kernel/actor/address';
import { consume, startConsumer } from '../../../src/kernel/jobs/consume';
import { defineJob } from '../../../src/kernel/jobs/job';
import type { Kernel } from '../../../src/kernel/kernel';
import { done } from '../../../src/kernel/mailbox/ending';
import { installationKey } from '../../../src/kernel/redis/keys';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { areOver, mailboxWith, sendBy, start, wakeBy } from '../../support/kernel/mailboxes';
import { until } from '../../support/until';

const MANY = tenantOf('probe', 'many');
const FEW = tenantOf('probe', 'few');
const OTHER = tenantOf('probe', 'other');

let cluster: Cluster;
let kernel: Kernel;
let send: ReturnType<typeof sendBy>;

beforeAll(async () => {
  cluster = await openCluster();
  kernel = await cluster.kernel();
  send = sendBy(kernel);
});
afterAll(() => cluster.close());

const waiting = async (queue: string): Promise<number> => {
  const { prioritized = 0 } = await (await kernel.jobs.registry.queue(queue)).getJobCounts('prioritized');
  return prioritized;
};

test('Mail of a tenant waits for at most one mail of another tenant with a backlog, whenever it arrives', async () => {
  const mailbox = mailboxWith({ concurrency: 1 });
  const words: string[] = [];
  for (let count = 0; count < 50; count += 1) await send(mailbox, 'many', `many-${count}`, MANY);
  await send(mailbox, 'few', 'few', FEW);
  await until(async () => (await waiting(mailbox.job.name)) === 51);
  await start(kernel, mailbox, async (_turn, { body }) => {
    words.push(body.word);
    if (words.length === 20) {
      await send(mailbox, 'later', 'later', OTHER);
      await until(async () => (await waiting(mailbox.job.name)) >= 32);
    }
    return done();
  });
  await areOver(kernel, mailbox);
  expect(words).toHaveLength(52);
  expect(words.indexOf('few')).toBeLessThanOrEqual(2);
  expect(words.indexOf('later')).toBeGreaterThanOrEqual(20);
  expect(words.indexOf('later')).toBeLessThanOrEqual(22);
});

test("Tenants that all have a backlog take turns, and each tenant's mail is handled in order", async () => {
  const mailbox = mailboxWith({ concurrency: 1 });
  const words: string[] = [];
  for (const tenant of [MANY, FEW, OTHER]) {
    for (let count = 0; count < 5; count += 1) await send(mailbox, `${tenant} ${count}`, `${tenant}-${count}`, tenant);
  }
  await until(async () => (await waiting(mailbox.job.name)) === 15);
  await start(kernel, mailbox, (_turn, { body }) => Promise.resolve((words.push(body.word), done())));
  await areOver(kernel, mailbox);
  const rounds = [0, 1, 2, 3, 4].map((round) => [MANY, FEW, OTHER].map((tenant) => `${tenant} ${round}`).sort());
  expect(rounds.map((_, at) => words.slice(at * 3, at * 3 + 3).sort())).toEqual(rounds);
});

test('Addresses take turns in a mailbox that does not know tenants', async () => {
  const { tenant: _none, ...table } = mailboxWith().table;
  const mailbox = mailboxWith({ concurrency: 1, table: { ...table, scope: { mailbox: 'probe-ungrouped' } } });
  expect(mailbox.job.turnOf?.({ id: 'address' })).toBe('address');
  expect(mailbox.job.turnOf?.({ id: 'address', tenant: FEW })).toBe(FEW);
  expect(mailbox.job.turnOf?.(null)).toBeUndefined();
});

interface Payload {
  readonly tenant: Tenant;
}

test('Jobs of tenants take turns, and the turns restart once all are done', async () => {
  const job = defineJob<Payload>('probe-turns', { whose: ({ tenant }) => tenant });
  for (const tenant of [MANY, OTHER]) {
    for (let count = 0; count < 10; count += 1) {
      await wakeBy(kernel, { job, id: `${tenant.replace(':', '-')}-${count}`, payload: { tenant } });
    }
  }
  await wakeBy(kernel, { job, id: 'few', payload: { tenant: FEW } });
  const order: Tenant[] = [];
  const run = (_kernel: Kernel, { tenant }: Payload) => Promise.resolve(void order.push(tenant));
  await startConsumer(kernel, consume(job, { concurrency: 1, run }));
  await until(() => order.length === 21);
  expect(order.slice(0, 3).sort()).toEqual([FEW, MANY, OTHER].sort());
  for (let at = 3; at < 21; at += 2) expect(order.slice(at, at + 2).sort()).toEqual([MANY, OTHER]);
  const turns = installationKey(kernel.namespace, `turns:${job.name}`);
  await until(async () => (await kernel.redis.commands.exists(turns)) === 0);
});

test('Jobs without a tenant take no turns and run first', async () => {
  const job = defineJob<{ tenant?: Tenant }>('probe-nobody', { whose: (own) => own.tenant });
  for (const tenant of [MANY, FEW, OTHER]) {
    await wakeBy(kernel, { job, id: tenant.replace(':', '-'), payload: { tenant } });
  }
  for (const id of ['a', 'b', 'c']) await wakeBy(kernel, { job, id, payload: {} });
  const queue = await kernel.jobs.registry.queue(job.name);
  expect(await queue.getJobCounts('waiting', 'prioritized')).toEqual({ waiting: 3, prioritized: 3 });
  const order: (Tenant | undefined)[] = [];
  const run = (_kernel: Kernel, { tenant }: { tenant?: Tenant }) => Promise.resolve(void order.push(tenant));
  await startConsumer(kernel, consume(job, { concurrency: 1, run }));
  await until(() => order.length === 6);
  expect(order.slice(0, 3)).toEqual([undefined, undefined, undefined]);
  expect(new Set(order.slice(3))).toEqual(new Set([FEW, MANY, OTHER]));
});
