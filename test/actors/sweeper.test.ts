import type { Sweep } from '../../src/kernel/jobs/sweeper';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { mailboxWith, rowsOf, start, TENANT } from '../support/kernel/mailboxes';
import { done } from '../../src/kernel/mailbox/ending';
import { until } from '../support/until';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await openCluster();
});
afterAll(() => cluster.close());

const EVERY_MS = 200;
/** A turn is over slightly before the next begins. */
const TURN_MS = EVERY_MS * 0.9;

test('Processes that look for the same take turns, and what one of them finds is found once', async () => {
  const kernels = await Promise.all(Array.from({ length: 4 }, () => cluster.kernel()));
  await kernels[0]!.mysql('kernel_counters').insert({ tenant: TENANT, event_number: 7 });
  const found: string[] = [];
  const begun = performance.now();
  const sweep: Sweep = {
    name: 'counters',
    everyMs: EVERY_MS,
    find: (db) => [
      db('kernel_counters').where('event_number', 7).select({ address: 'event_number', tenant: 'tenant' }),
    ],
    found: (rows) => void found.push(...rows.map(({ address, tenant }) => `${address} of ${tenant}`)),
  };
  for (const { sweeper } of kernels) sweeper.add([sweep]);
  await until(() => found.length >= 5);
  expect(new Set(found)).toEqual(new Set([`7 of ${TENANT}`]));
  expect(found.length).toBeLessThanOrEqual((performance.now() - begun) / TURN_MS + 1);
});

test('A sweep whose query fails does not hide what other sweeps find', async () => {
  const { mysql, sweeper } = await cluster.kernel();
  await mysql('kernel_counters').insert({ tenant: 'probe:three', event_number: 8 });
  let found = 0;
  const sweepOf = (name: string, table: string): Sweep => ({
    name,
    everyMs: EVERY_MS,
    find: (db) => [db(table).where('event_number', 8).select({ address: 'event_number', tenant: 'tenant' })],
    found: ({ length }) => void (found += length),
  });
  sweeper.add([sweepOf('broken', 'kernel_no_such_table'), sweepOf('whole', 'kernel_counters')]);
  await until(() => found > 0);
});

test('A sweep that takes long is not begun again meanwhile, and holds up no other', async () => {
  const { mysql, sweeper } = await cluster.kernel();
  await mysql('kernel_counters').insert({ tenant: 'probe:four', event_number: 9 });
  const begun = { slow: 0, quick: 0 };
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const sweepOf = (name: 'slow' | 'quick', work?: Promise<void>): Sweep => ({
    name,
    everyMs: EVERY_MS,
    find: (db) => [
      db('kernel_counters').where('event_number', 9).select({ address: 'event_number', tenant: 'tenant' }),
    ],
    found() {
      begun[name] += 1;
      return work;
    },
  });
  sweeper.add([sweepOf('slow', ended), sweepOf('quick')]);
  await until(() => begun.quick > 2);
  expect(begun.slow).toBe(1);
  end();
  await until(() => begun.slow > 1);
});

test('Mail that ended long ago is deleted, however much it is, and what is newer or waits again stays', async () => {
  const kernel = await cluster.kernel({ HOUSEKEEPING_MS: '300' });
  const mailbox = mailboxWith({ keep: { done: 3_600_000, failed: 7_200_000 } });
  const row = (state: string, hours: number | null) => ({
    mailbox: mailbox.name,
    tenant: TENANT,
    address: 'x',
    body: '{"word":"old"}',
    state,
    due_at: kernel.mysql.raw('NOW(3) + INTERVAL 1 DAY'),
    created_at: kernel.mysql.raw('NOW(3) - INTERVAL 1 DAY'),
    finished_at: hours === null ? null : kernel.mysql.raw('NOW(3) - INTERVAL ? SECOND', [hours * 3600]),
  });
  const old = Array.from({ length: 1200 }, () => row('done', 1.5));
  const kept = [row('done', 0.5), row('failed', 1.5), row('dropped', 20), row('pending', null)];
  await kernel.mysql('kernel_mail').insert([...old, row('failed', 2.5), ...kept]);
  await start(kernel, mailbox, () => Promise.resolve(done()));
  await until(
    () => rowsOf(kernel, mailbox),
    ({ length }) => length <= kept.length,
  );
  expect((await rowsOf(kernel, mailbox)).map(({ state }) => state)).toEqual(['done', 'failed', 'dropped', 'pending']);
});

test('A lease whose holder died a day ago is deleted, and one that is younger is kept', async () => {
  const kernel = await cluster.kernel({ HOUSEKEEPING_MS: '300' });
  const lease = (address: string, hours: number) => ({
    address,
    holder: 'dead',
    held_until: kernel.mysql.raw('NOW(3) - INTERVAL ? HOUR', [hours]),
    takeovers: 0,
  });
  await kernel.mysql('kernel_mailbox_leases').insert([lease('probe/old', 25), lease('probe/young', 23)]);
  await start(kernel, mailboxWith(), () => Promise.resolve(done()));
  const left = () => kernel.mysql('kernel_mailbox_leases').where('address', 'like', 'probe/%').pluck('address');
  await until(left, ({ length }) => length < 2);
  expect(await left()).toEqual(['probe/young']);
});
