import { redisKey, tenantOf, type Tenant } from '../../../src/kernel/actor/address';
import { eventChannel, eventLog } from '../../../src/kernel/event-log/event-log';
import { logEvent, LogPublisher } from '../../../src/kernel/event-log/log-publisher';
import { repairLogs } from '../../../src/kernel/event-log/repair';
import { socketEvent } from '../../../src/kernel/event-log/socket-events';
import { housekeeping } from '../../../src/kernel/jobs/housekeeping';
import type { Kernel } from '../../../src/kernel/kernel';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { entriesOf } from '../../support/kernel/log-entries';
import { until } from '../../support/until';

let cluster: Cluster;
let one: Kernel;
let two: Kernel;

beforeAll(async () => {
  // Nothing is swept unless a test does it.
  cluster = await openCluster({ SWEEP_INTERVAL_MS: '60000', SWEEP_AFTER_MS: '0' });
  one = await cluster.kernel();
  two = await cluster.kernel();
});
afterAll(() => cluster.close());

const keyOf = (tenant: Tenant) => redisKey(one.namespace, { tenant, kind: eventLog.kind, id: '' });
const entries = (tenant: Tenant) => entriesOf(one, tenant);
const send = (kernel: Kernel, tenant: Tenant, body: string) =>
  kernel.transaction(async (tx) => tx.deliver(logEvent(tenant, body)));
const headOf = async (tenant: Tenant) => Number(await one.redis.commands.get(keyOf(tenant)));

/** Commits without publishing, like a node that dies in between. */
async function commitUnpublished(tenant: Tenant, body: string): Promise<void> {
  const publish = jest.spyOn(one.outbox, 'publish').mockResolvedValue();
  await send(one, tenant, body);
  publish.mockRestore();
}

test('Events of two nodes are appended once each, under their commit numbers, and pushed', async () => {
  const tenant = tenantOf('test', 'order');
  const heard: string[] = [];
  const stop = await two.channel.listen(eventChannel(tenant), { receive: (m) => heard.push(m), resumed: () => {} });
  await Promise.all(Array.from({ length: 40 }, (_, index) => send(index % 2 ? one : two, tenant, 'x')));
  await until(
    () => headOf(tenant),
    (head) => head === 40,
  );
  const expected = Array.from({ length: 40 }, (_, index) => `${index + 1}`);
  expect((await entries(tenant)).map((entry) => entry.split(' ')[0])).toEqual(expected);
  await until(
    () => heard.length,
    (length) => length === 40,
  );
  expect(heard.map((message) => message.trim().split(' ')[0])).toEqual(expected);
  await stop();
});

test('An outbox row that is published twice is appended once', async () => {
  const tenant = tenantOf('test', 'twice');
  await send(one, tenant, 'a');
  await until(
    () => headOf(tenant),
    (head) => head === 1,
  );
  const rows = await one.mysql('kernel_outbox').where({ tenant }).select('id', 'publisher', 'tenant', 'number', 'body');
  await two.outbox.publish(rows);
  expect(await entries(tenant)).toEqual(['1 a']);
});

test('The next publisher first publishes rows which another node left unpublished', async () => {
  const tenant = tenantOf('test', 'gap');
  await send(one, tenant, 'first');
  await until(
    () => headOf(tenant),
    (head) => head === 1,
  );
  await commitUnpublished(tenant, 'abandoned');
  await send(two, tenant, 'third');
  await until(
    () => headOf(tenant),
    (head) => head === 3,
  );
  expect(await entries(tenant)).toEqual(['1 first', '2 abandoned', '3 third']);
});

test('Any process publishes abandoned rows, and one sweeper claims each row', async () => {
  const tenant = tenantOf('test', 'sweep');
  // Publishes what earlier tests left behind.
  await Promise.all([one.outbox.settle(), two.outbox.settle()]);
  await one.outbox.sweep();
  await one.outbox.settle();
  await commitUnpublished(tenant, 'a');
  await commitUnpublished(tenant, 'b');
  const swept = await Promise.all([one.outbox.sweep(), two.outbox.sweep()]);
  expect(swept[0]! + swept[1]!).toBe(2);
  expect(await entries(tenant)).toEqual(['1 a', '2 b']);
  await Promise.all([one.outbox.settle(), two.outbox.settle()]);
  expect(await two.outbox.sweep()).toBe(0);
});

test('A Redis that comes back with an older log is given the missing events under the same numbers', async () => {
  const tenant = tenantOf('test', 'older');
  for (const body of ['a', 'b', 'c', 'd']) await send(one, tenant, body);
  await until(
    () => headOf(tenant),
    (head) => head === 4,
  );
  // As if the append-only file of two events ago had been restored.
  await one.redis.commands.set(keyOf(tenant), '2');
  await one.redis.commands.xtrim(`${keyOf(tenant)}:rows`, 'MAXLEN', 0);
  await one.redis.commands.del(`${keyOf(tenant)}:rows`);
  await repairLogs(one, new LogPublisher(one));
  expect(await entries(tenant)).toEqual(['3 c', '4 d']);
  expect(await one.redis.commands.ttl(`${keyOf(tenant)}:rows`)).toBeGreaterThan(0);
  await send(one, tenant, 'e');
  await until(
    () => headOf(tenant),
    (head) => head === 5,
  );
});

test('A repair of the logs that failed is tried again without waiting for another connection', async () => {
  const tenant = tenantOf('test', 'retried');
  for (const body of ['a', 'b']) await send(one, tenant, body);
  await until(
    () => headOf(tenant),
    (head) => head === 2,
  );
  const mender = await cluster.kernel({ SWEEP_INTERVAL_MS: '100' });
  await one.redis.commands.set(keyOf(tenant), '1');
  await one.redis.commands.del(`${keyOf(tenant)}:rows`);
  const warn = jest.spyOn(mender.log, 'warn');
  await one.mysql.raw('RENAME TABLE kernel_outbox TO kernel_outbox_away');
  mender.redis.commands.emit('ready');
  await until(() => warn.mock.calls.length > 0);
  await one.mysql.raw('RENAME TABLE kernel_outbox_away TO kernel_outbox');
  await until(
    () => headOf(tenant),
    (head) => head === 2,
  );
  // Closed, because it sweeps, which later tests do not expect.
  await mender.lifecycle.drain();
});

test('A Redis without the log continues after the last number and never starts again at one', async () => {
  const tenant = tenantOf('test', 'empty');
  for (const body of ['a', 'b', 'c']) await send(one, tenant, body);
  await until(
    () => headOf(tenant),
    (head) => head === 3,
  );
  await one.outbox.settle();
  await one.redis.commands.del(keyOf(tenant), `${keyOf(tenant)}:rows`);
  await send(two, tenant, 'd');
  await until(
    () => headOf(tenant),
    (head) => head === 4,
  );
  expect(await entries(tenant)).toEqual(['4 d']);
});

test('A gap whose events are no longer stored is skipped, and readers can see the gap', async () => {
  const tenant = tenantOf('test', 'forgotten');
  for (const body of ['a', 'b', 'c']) await send(one, tenant, body);
  await until(
    () => headOf(tenant),
    (head) => head === 3,
  );
  await one.redis.commands.set(keyOf(tenant), '1');
  await one.redis.commands.del(`${keyOf(tenant)}:rows`);
  await one.mysql('kernel_outbox').where({ tenant }).where('number', '<', 4).delete();
  await send(one, tenant, 'd');
  await until(
    () => headOf(tenant),
    (head) => head === 4,
  );
  expect(await entries(tenant)).toEqual(['4 d']);
});

test('The log in Redis expires after its window, and its head never expires', async () => {
  const tenant = tenantOf('test', 'expiry');
  await send(one, tenant, 'a');
  await until(
    () => headOf(tenant),
    (head) => head === 1,
  );
  const left = () => one.redis.commands.pttl(`${keyOf(tenant)}:rows`);
  expect(await left()).toBeGreaterThan(890_000);
  expect(await left()).toBeLessThanOrEqual(901_000);
  expect(await one.redis.commands.ttl(keyOf(tenant))).toBe(-1);
  // Later events extend its expiry, though not each of them.
  await one.redis.commands.pexpire(`${keyOf(tenant)}:rows`, 60_000);
  await until(async () => {
    await send(one, tenant, 'b');
    return (await left()) > 890_000;
  });
});

test('Housekeeping deletes outbox rows, log entries and replies that are older than the window', async () => {
  const tenant = tenantOf('test', 'old');
  for (const body of ['a', 'b', 'c']) await send(one, tenant, body);
  await until(
    () => headOf(tenant),
    (head) => head === 3,
  );
  await one.outbox.settle();
  const old = one.mysql.raw('NOW(3) - INTERVAL 1 DAY');
  await one.mysql('kernel_outbox').where({ tenant }).where('number', '<', 3).update({ published_at: old });
  await one.mysql('kernel_job_requests').insert({ id: 'old', job: 'x', state: 'done', created_at: old });
  await housekeeping.run(one, null, { signal: one.lifecycle.draining });
  expect(await entries(tenant)).toEqual(['3 c']);
  expect(await one.mysql('kernel_outbox').where({ tenant }).pluck('number')).toEqual([3]);
  expect(await one.mysql('kernel_job_requests').where({ id: 'old' })).toEqual([]);
});

test('Housekeeping keeps the events of sockets, which clients may request again, until their own window is over', async () => {
  const tenant = tenantOf('test', 'replayable');
  for (const body of ['a', 'b', 'c']) await one.transaction(async (tx) => tx.deliver(socketEvent(tenant, body)));
  await one.outbox.settle();
  const age = (numbers: readonly number[], time: string) =>
    one
      .mysql('kernel_outbox')
      .where({ tenant })
      .whereIn('number', numbers)
      .update({ published_at: one.mysql.raw(`NOW(3) - INTERVAL ${time}`) });
  await age([1], '8 DAY');
  await age([2], '20 MINUTE');
  await housekeeping.run(one, null, { signal: one.lifecycle.draining });
  expect(await one.mysql('kernel_outbox').where({ tenant }).orderBy('number').pluck('number')).toEqual([2, 3]);
});

test('Redis holds no log of socket events, even if it has the head of one', async () => {
  const tenant = tenantOf('test', 'sockets');
  await one.redis.commands.set(keyOf(tenant), '1');
  for (const body of ['a', 'b', 'c']) await one.transaction(async (tx) => tx.deliver(socketEvent(tenant, body)));
  await one.outbox.settle();
  await repairLogs(one, new LogPublisher(one));
  expect(await headOf(tenant)).toBe(1);
  expect(await one.redis.commands.exists(`${keyOf(tenant)}:rows`)).toBe(0);
});
