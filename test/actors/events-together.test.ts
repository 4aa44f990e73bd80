/** Rows of the outbox that hold several events: whoever reads them finds each event under its own number. */
import { redisKey, tenantOf, type Tenant } from '../../src/kernel/actor/address';
import { eventLog } from '../../src/kernel/event-log/event-log';
import { logEvent } from '../../src/kernel/event-log/log-carrier';
import { repairLogs } from '../../src/kernel/event-log/repair';
import { readOutbox } from '../../src/kernel/event-log/sources';
import type { Kernel } from '../../src/kernel/kernel';
import { BETWEEN_EVENTS, bodyOf, RECORD_GAP } from '../../src/kernel/mysql/outbox-rows';
import { openCluster, type Cluster } from '../support/cluster';
import { until } from '../support/until';

let cluster: Cluster;
let kernel: Kernel;

beforeAll(async () => {
  cluster = await openCluster({ SWEEP_INTERVAL_MS: '60000', SWEEP_AFTER_MS: '0' });
  kernel = await cluster.kernel();
});
afterAll(() => cluster.close());

const keyOf = (tenant: Tenant) => redisKey(kernel.namespace, { tenant, kind: eventLog.kind, id: '' });
const entries = async (tenant: Tenant) =>
  (await kernel.redis.commands.xrange(`${keyOf(tenant)}:entries`, '-', '+')).map(
    ([id, fields]) => `${id.split('-')[0]} ${fields[1]}`,
  );

/** Commits events in one row and dies before telling them. */
async function commitTogether(
  tenant: Tenant,
  last: number,
  bodies: readonly string[],
  firstRecord: number | null = null,
): Promise<void> {
  await kernel.mysql('kernel_outbox').insert({
    carrier: 'log',
    tenant,
    number: last,
    events: bodies.length,
    first_record: firstRecord,
    body: bodies.join(BETWEEN_EVENTS),
    created_at: kernel.mysql.raw('NOW(3) - INTERVAL 1 SECOND'),
  });
  await kernel.mysql('kernel_counters').insert({ tenant, event_number: last }).onConflict().merge();
}

test('the sweeper tells each event of an abandoned row, and marks the row', async () => {
  const tenant = tenantOf('test', 'together-swept');
  await commitTogether(tenant, 3, ['a', 'b', 'c']);
  await kernel.outbox.sweep();
  expect(await entries(tenant)).toEqual(['1 a', '2 b', '3 c']);
  await kernel.outbox.settle();
  expect(await kernel.mysql('kernel_outbox').where({ tenant }).whereNull('carried_at')).toEqual([]);
});

test('a log that stands within a row goes on with the rest of it', async () => {
  const tenant = tenantOf('test', 'together-within');
  await kernel.redis.commands.set(keyOf(tenant), '1');
  await commitTogether(tenant, 3, ['a', 'b', 'c']);
  await kernel.transaction(async (tx) => tx.deliver(logEvent(tenant, 'd')));
  await until(
    () => entries(tenant),
    (told) => told.length === 3,
  );
  expect(await entries(tenant)).toEqual(['2 b', '3 c', '4 d']);
});

test('an emptied Redis begins before the first event of an untold row', async () => {
  const tenant = tenantOf('test', 'together-begun');
  await commitTogether(tenant, 7, ['f', 'g']);
  await kernel.transaction(async (tx) => tx.deliver(logEvent(tenant, 'h')));
  await until(
    () => entries(tenant),
    (told) => told.length === 3,
  );
  expect(await entries(tenant)).toEqual(['6 f', '7 g', '8 h']);
});

test('repair and readers see the events after a number, not the rows', async () => {
  const tenant = tenantOf('test', 'together-read');
  await commitTogether(tenant, 4, ['a', 'b', 'c', 'd']);
  await kernel.redis.commands.set(keyOf(tenant), '2');
  await repairLogs(kernel);
  expect(await entries(tenant)).toEqual(['3 c', '4 d']);
  const read = await readOutbox(kernel, tenant, 1, 2);
  expect(read.map(({ number, body }) => `${number} ${body}`)).toEqual(['2 b', '3 c']);
});

test('events that leave a gap for their record are told with its number', async () => {
  const tenant = tenantOf('test', 'together-gaps');
  await commitTogether(tenant, 2, [`{"id":${RECORD_GAP}}`, `{"id":${RECORD_GAP}}`], 41);
  await kernel.outbox.sweep();
  expect(await entries(tenant)).toEqual(['1 {"id":41}', '2 {"id":42}']);
});

test('events that share what they begin with are told whole', async () => {
  const tenant = tenantOf('test', 'together-led');
  const bodies = bodyOf(['1', '2', '3'].map((rest) => ({ lead: '{"to":"all","a":', rest: `${rest}}` })));
  await commitTogether(tenant, 3, bodies.split(BETWEEN_EVENTS));
  await kernel.redis.commands.set(keyOf(tenant), '1');
  await kernel.outbox.sweep();
  expect(await entries(tenant)).toEqual(['2 {"to":"all","a":2}', '3 {"to":"all","a":3}']);
});
