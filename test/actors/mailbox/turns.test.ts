// One writer at a time per address, on any node, guaranteed by the lease of the mailbox.
import { startConsumer } from '../../../src/kernel/jobs/consume';
import type { Kernel } from '../../../src/kernel/kernel';
import { done, retry } from '../../../src/kernel/mailbox/ending';
import { leaseAddress, release, Superseded, take } from '../../../src/kernel/mailbox/lease';
import type { AnyMailbox } from '../../../src/kernel/mailbox/mailbox';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { mailboxWith, rowsOf, sendBy, turnAt } from '../../support/kernel/mailboxes';
import { addTo, ledger, ledgerWorker, openLedger, sumOf } from '../../support/processes/probe/ledger';
import { standStill } from '../../support/processes/stand-still';
import { until } from '../../support/until';

let cluster: Cluster;
let one: Kernel;
let two: Kernel;
let send: ReturnType<typeof sendBy>;

beforeAll(async () => {
  // These turns wait for each other; how long that takes on a loaded machine is not tested.
  cluster = await openCluster({ JOB_REPLY_DEADLINE_MS: '60000', LEASE_MS: '600' });
  one = await cluster.kernel({ NODE_NAME: 'one' });
  two = await cluster.kernel({ NODE_NAME: 'two' });
  send = sendBy(one);
  for (const kernel of [one, two]) await startConsumer(kernel, ledgerWorker);
});
afterAll(() => cluster.close());

const leaseOf = async (mailbox: AnyMailbox, id: string) =>
  (await one
    .mysql('kernel_mailbox_leases')
    .where({ address: leaseAddress(mailbox, id) })
    .first()) as { holder: string; held_until: Date } | undefined;

test('Turns at one mailbox address never overlap, whichever node requests them, so no update is lost', async () => {
  await openLedger(one, 'shared');
  const sums = await Promise.all(
    Array.from({ length: 10 }, (_, index) => addTo(index % 2 === 0 ? one : two, 'shared', 1)),
  );
  expect(sums.map(({ sum }) => sum).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(await sumOf(one, 'shared')).toBe(10);
});

test('Turns at different mailbox addresses run in parallel', async () => {
  await Promise.all([openLedger(one, 'a'), openLedger(one, 'b')]);
  const held = await take(one.mysql, leaseAddress(ledger, 'a'), 60_000, []);
  if (!('lease' in held)) throw new Error('somebody else holds it');
  const late = addTo(two, 'a', 1);
  expect(await addTo(two, 'b', 1)).toMatchObject({ sum: 1 });
  expect(await sumOf(one, 'a')).toBe(0);
  await release(one.mysql, held.lease);
  expect(await late).toMatchObject({ sum: 1 });
});

test('A mailbox lease is renewed for as long as the work takes, and then released', async () => {
  const mailbox = mailboxWith({ attemptMs: 60_000 });
  await send(mailbox, 'long');
  await turnAt(one, mailbox, async ({ signal }) => {
    // The lease is renewed repeatedly: its end moves.
    const ends = new Set<number>();
    await until(async () => ends.add((await leaseOf(mailbox, 'x'))!.held_until.getTime()).size === 4);
    expect(signal.aborted).toBe(false);
    return done();
  });
  expect(await leaseOf(mailbox, 'x')).toBeUndefined();
  expect(await rowsOf(one, mailbox)).toMatchObject([{ state: 'done', attempts: 1 }]);
});

test('Mail that waits for another attempt counts one attempt even if the follow-up of its ending fails', async () => {
  const mailbox = mailboxWith();
  await send(mailbox, 'waits');
  const after = () => Promise.reject(new Error('the follow-up failed'));
  await turnAt(one, mailbox, () => Promise.resolve(retry('not yet', { afterMs: 60_000, after })));
  expect(await rowsOf(one, mailbox)).toMatchObject([{ state: 'pending', attempts: 1, reason: 'not yet' }]);
});

test('A worker that was frozen until its lease expired learns before its next call that another has taken over', async () => {
  const mailbox = mailboxWith({ attemptMs: 60_000 });
  await send(mailbox, 'overtaken');
  let calls = 0;
  const taken = turnAt(one, mailbox, async (turn) => {
    await turn.ensureLease();
    calls += 1;
    const address = leaseAddress(mailbox, 'x');
    await one.mysql('kernel_mailbox_leases').where({ address }).update({ holder: 'another' });
    standStill(one.settings.leaseMs);
    await turn.ensureLease();
    calls += 1;
    return done();
  });
  await expect(taken).rejects.toBeInstanceOf(Superseded);
  expect(calls).toBe(1);
  expect(await rowsOf(one, mailbox)).toMatchObject([{ state: 'pending', attempts: 0 }]);
});

test("A worker that loses its lease is told to stop, and does not release the new holder's lease", async () => {
  const mailbox = mailboxWith({ attemptMs: 60_000 });
  await send(mailbox, 'lost');
  const turn = turnAt(one, mailbox, async ({ signal }) => {
    await one
      .mysql('kernel_mailbox_leases')
      .where({ address: leaseAddress(mailbox, 'x') })
      .update({ holder: 'another' });
    await until(() => signal.aborted);
    throw new Error('ended early');
  });
  await expect(turn).rejects.toBeInstanceOf(Superseded);
  expect(await leaseOf(mailbox, 'x')).toMatchObject({ holder: 'another' });
  expect(await rowsOf(one, mailbox)).toMatchObject([{ state: 'pending', attempts: 0, reason: null }]);
});
