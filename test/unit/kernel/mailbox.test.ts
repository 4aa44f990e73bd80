import { tenantOf } from '../../../src/kernel/actor/address';
import { BurstWakes } from '../../../src/kernel/jobs/burst-wakes';
import { defineJob, type WakeOrder } from '../../../src/kernel/jobs/job';
import { openLog } from '../../../src/kernel/log';
import { DUE_NOW, WRITTEN } from '../../../src/kernel/mailbox/mailbox';
import type { Statement } from '../../../src/kernel/mysql/commit-statements';
import { mailboxWith } from '../../support/kernel/mailboxes';
import { until } from '../../support/until';

const TENANT = tenantOf('probe', 'one');

function recording() {
  const written: Statement[] = [];
  const woken: WakeOrder[] = [];
  return {
    written,
    woken,
    writeLast: (statement: Statement) => void written.push(statement),
    wake: (...orders: readonly WakeOrder[]) => void woken.push(...orders),
  };
}

test('Mail for an address is one statement of the commit, however many bodies there are, and one wake', () => {
  const mailbox = mailboxWith();
  const tx = recording();
  mailbox.at(TENANT, 'x', 1500).send(tx, { word: 'a' }, { word: 'b' });
  expect(tx.written).toHaveLength(1);
  expect(tx.written[0]!.bindings).toEqual(
    ['a', 'b'].flatMap((word) => [mailbox.name, TENANT, 'x', `{"word":"${word}"}`, 1_500_000, 1]),
  );
  expect(tx.woken).toMatchObject([{ job: mailbox.job, payload: { id: 'x', tenant: TENANT } }]);
});

test('Mail without an address has one of its own', () => {
  const tx = recording();
  const mailbox = mailboxWith();
  for (const word of ['a', 'b']) mailbox.at(TENANT).send(tx, { word });
  expect(new Set(tx.woken.map(({ id }) => id)).size).toBe(2);
});

test('Mail that the caller has written is only woken for, and mail that waits is made due', () => {
  const mailbox = mailboxWith();
  const tx = recording();
  mailbox.at(TENANT, 'x').send(tx, WRITTEN);
  expect(tx.written).toEqual([]);
  mailbox.at(TENANT, 'x').send(tx, DUE_NOW);
  expect(tx.written).toEqual([
    {
      sql: 'UPDATE kernel_mail SET due_at = NOW(3) WHERE mailbox = ? AND address = ? AND state = ?',
      bindings: [mailbox.name, 'x', 'pending'],
    },
  ]);
  expect(tx.woken).toHaveLength(2);
});

test('Only mail of a mailbox that says so shares the wakes of a burst', () => {
  const tx = recording();
  for (const isBursty of [true, false]) mailboxWith({ isBursty }).at(TENANT, 'x').send(tx, WRITTEN);
  expect(tx.woken.map(({ isBurst }) => isBurst)).toEqual([true, false]);
});

test('The first order of a burst wakes at once, and the many after it share few wakes, the last of which comes after them', async () => {
  const woken: string[] = [];
  const bursts = new BurstWakes({
    wakeNow: ({ id }) => Promise.resolve(void woken.push(id)),
    draining: new AbortController().signal,
    log: openLog('silent', 'probe'),
  });
  const job = defineJob('probe-bursts');
  const wake = (id: string) => bursts.wake({ job, id, payload: null });
  wake('x');
  wake('y');
  expect(woken).toEqual(['x', 'y']);
  for (let count = 0; count < 100; count += 1) wake('x');
  expect(woken).toEqual(['x', 'y']);
  await until(() => woken.length === 3);
  expect(woken).toEqual(['x', 'y', 'x']);
});
