/** Outbox rows that hold several events: readers find each event under its own number. */
import { redisKey, tenantOf, type Tenant } from '../../../src/kernel/actor/address';
import { eventChannel, eventLog } from '../../../src/kernel/event-log/event-log';
import { LogFollower } from '../../../src/kernel/event-log/follower';
import { logEvent, LogPublisher } from '../../../src/kernel/event-log/log-publisher';
import { repairLogs } from '../../../src/kernel/event-log/repair';
import { logInRedis, readOutbox } from '../../../src/kernel/event-log/sources';
import type { Kernel } from '../../../src/kernel/kernel';
import { BETWEEN_EVENTS, encodeBody, RECORD_GAP } from '../../../src/kernel/event-log/codec';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { entriesOf } from '../../support/kernel/log-entries';
import { until } from '../../support/until';

let cluster: Cluster;
let kernel: Kernel;

beforeAll(async () => {
  cluster = await openCluster({ SWEEP_INTERVAL_MS: '60000', SWEEP_AFTER_MS: '0' });
  kernel = await cluster.kernel();
});
afterAll(() => cluster.close());

const keyOf = (tenant: Tenant) => redisKey(kernel.namespace, { tenant, kind: eventLog.kind, id: '' });
const entries = (tenant: Tenant, after?: number) => entriesOf(kernel, tenant, after);

/** Commits events in one row and dies before publishing them. */
async function commitTogether(
  tenant: Tenant,
  last: number,
  bodies: readonly string[],
  firstRecord: number | null = null,
): Promise<void> {
  await kernel.mysql('kernel_outbox').insert({
    publisher: 'log',
    tenant,
    number: last,
    events: bodies.length,
    first_record: firstRecord,
    body: bodies.join(BETWEEN_EVENTS),
    created_at: kernel.mysql.raw('NOW(3) - INTERVAL 1 SECOND'),
  });
  await kernel.mysql('kernel_counters').insert({ tenant, event_number: last }).onConflict().merge();
}

test('The sweeper publishes each event of an abandoned row and marks the row as published', async () => {
  const tenant = tenantOf('test', 'together-swept');
  await commitTogether(tenant, 3, ['a', 'b', 'c']);
  await kernel.outbox.sweep();
  expect(await entries(tenant)).toEqual(['1 a', '2 b', '3 c']);
  await kernel.outbox.settle();
  expect(await kernel.mysql('kernel_outbox').where({ tenant }).whereNull('published_at')).toEqual([]);
});

test('A log whose head lies within a row continues with the remaining events of that row', async () => {
  const tenant = tenantOf('test', 'together-within');
  await kernel.redis.commands.set(keyOf(tenant), '1');
  await commitTogether(tenant, 3, ['a', 'b', 'c']);
  await kernel.transaction(async (tx) => tx.deliver(logEvent(tenant, 'd')));
  await until(async () => (await logInRedis(kernel, tenant).head()) === 4);
  expect(await entries(tenant, 1)).toEqual(['2 b', '3 c', '4 d']);
});

test('A log in an emptied Redis begins before the first event of an unpublished row', async () => {
  const tenant = tenantOf('test', 'together-begun');
  await commitTogether(tenant, 7, ['f', 'g']);
  await kernel.transaction(async (tx) => tx.deliver(logEvent(tenant, 'h')));
  await until(
    () => entries(tenant),
    (published) => published.length === 3,
  );
  expect(await entries(tenant)).toEqual(['6 f', '7 g', '8 h']);
});

test('A gap before a row of several events is skipped when its events are no longer stored', async () => {
  const tenant = tenantOf('test', 'together-jumped');
  await kernel.redis.commands.set(keyOf(tenant), '1');
  await commitTogether(tenant, 9, ['g', 'h', 'i']);
  await kernel.outbox.sweep();
  expect(await entries(tenant)).toEqual(['7 g', '8 h', '9 i']);
  expect(await logInRedis(kernel, tenant).head()).toBe(9);
});

test('Repairs and readers see the single events after a number, not whole rows', async () => {
  const tenant = tenantOf('test', 'together-read');
  await commitTogether(tenant, 4, ['a', 'b', 'c', 'd']);
  await kernel.redis.commands.set(keyOf(tenant), '2');
  await repairLogs(kernel, new LogPublisher(kernel));
  expect(await entries(tenant, 2)).toEqual(['3 c', '4 d']);
  const read = await readOutbox(kernel, tenant, 1, 2);
  expect(read.map(({ number, body }) => `${number} ${body}`)).toEqual(['2 b', '3 c']);
});

test('Events that leave a gap for the id of their record are published with that id', async () => {
  const tenant = tenantOf('test', 'together-gaps');
  await commitTogether(tenant, 2, [`{"id":${RECORD_GAP}}`, `{"id":${RECORD_GAP}}`], 41);
  await kernel.outbox.sweep();
  expect(await entries(tenant)).toEqual(['1 {"id":41}', '2 {"id":42}']);
});

test('Events that share a prefix are published in full', async () => {
  const tenant = tenantOf('test', 'together-led');
  const bodies = encodeBody(['1', '2', '3'].map((rest) => ({ prefix: '{"to":"all","a":', rest: `${rest}}` })));
  await commitTogether(tenant, 3, bodies.split(BETWEEN_EVENTS));
  await kernel.redis.commands.set(keyOf(tenant), '1');
  await kernel.outbox.sweep();
  expect(await entries(tenant, 1)).toEqual(['2 {"to":"all","a":2}', '3 {"to":"all","a":3}']);
});

describe('Pushing the events of a row', () => {
  const prefixed = (rests: readonly string[]) =>
    encodeBody(rests.map((rest) => ({ prefix: '{"to":"all"', rest: `,"a":${rest}}` })));
  const publish = (tenant: Tenant, last: number, rests: readonly string[], firstRecord: number | null = null) =>
    kernel.outbox.publish([
      {
        id: 1,
        publisher: 'log',
        tenant,
        number: last,
        events: rests.length,
        first_record: firstRecord,
        body: prefixed(rests),
      },
    ]);

  async function follow(tenant: Tenant) {
    const pushes: string[] = [];
    const heard: string[] = [];
    const follower = new LogFollower(kernel, logInRedis(kernel, tenant), (events) => {
      for (const { number, body } of events) heard.push(`${number} ${body}`);
    });
    await kernel.redis.commands.set(keyOf(tenant), '0');
    await follower.open();
    const stop = await kernel.channel.listen(eventChannel(tenant), {
      receive: (message) => pushes.push(message),
      resumed: () => {},
    });
    const close = async () => {
      await stop();
      await follower.close();
    };
    return { pushes, heard, follower, close };
  }

  test('A new row is pushed in one message, and subscribers receive every event in full', async () => {
    const tenant = tenantOf('test', 'pushed-whole');
    const { pushes, heard, close } = await follow(tenant);
    await publish(tenant, 3, [`1,"id":${RECORD_GAP}`, `2,"id":${RECORD_GAP}`, '3'], 41);
    await publish(tenant, 4, ['4']);
    await until(() => heard.length === 4);
    expect(heard).toEqual([
      '1 {"to":"all","a":1,"id":41}',
      '2 {"to":"all","a":2,"id":42}',
      '3 {"to":"all","a":3}',
      '4 {"to":"all","a":4}',
    ]);
    expect(heard).toEqual(await entries(tenant));
    expect(await kernel.redis.commands.xlen(`${keyOf(tenant)}:rows`)).toBe(2);
    expect(pushes).toHaveLength(2);
    await close();
  });

  test('A row that is already partly in the log is pushed in full, and no subscriber receives an event twice', async () => {
    const tenant = tenantOf('test', 'pushed-part');
    const { pushes, heard, close } = await follow(tenant);
    await publish(tenant, 2, ['1', '2']);
    await publish(tenant, 4, ['1', '2', '3', '4']);
    await publish(tenant, 4, ['1', '2', '3', '4']);
    await until(() => heard.length === 4);
    expect(heard).toEqual(['1', '2', '3', '4'].map((each) => `${each} {"to":"all","a":${each}}`));
    expect(await entries(tenant, 2)).toEqual(heard.slice(2));
    expect(pushes.map((push) => push.trim().split(' ')[0])).toEqual(['2', '4']);
    await close();
  });

  test('A follower that has already read part of a row receives only the remaining events', async () => {
    const tenant = tenantOf('test', 'pushed-late');
    const { heard, follower, close } = await follow(tenant);
    follower.head = 2;
    await publish(tenant, 3, ['1', '2', '3']);
    await until(() => heard.length === 1);
    expect(heard).toEqual(['3 {"to":"all","a":3}']);
    await close();
  });
});
