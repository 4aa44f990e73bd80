/** Ledger: a mailbox for tests. Each turn reads a sum, waits like a call to another service, and writes the next. */
import { tenantOf } from '../../../../src/kernel/actor/address';
import type { Kernel } from '../../../../src/kernel/kernel';
import { done, type Ending } from '../../../../src/kernel/mailbox/ending';
import { defineMailbox, type Mail } from '../../../../src/kernel/mailbox/mailbox';
import { kernelMailTable } from '../../../../src/kernel/mailbox/kernel-mail';
import { each, type MailTurn } from '../../../../src/kernel/mailbox/work';
import { mailboxWorker } from '../../../../src/kernel/mailbox/worker';

interface Addition {
  readonly amount: number;
}

export const ledger = defineMailbox('probe-ledger', {
  table: kernelMailTable<Addition>('probe-ledger'),
  concurrency: 8,
  tenantShare: 1,
  attempts: 3,
  pauseMs: () => 50,
  attemptMs: 60_000,
  isRepeatable: true,
  order: 'strict',
  maxInATurn: 1,
  keep: {},
});

export const ledgerWorker = mailboxWorker(ledger, { handle: each(add) });

async function add({ kernel, at }: MailTurn, { body: { amount } }: Mail<Addition>): Promise<Ending> {
  const sum = (await sumOf(kernel, at)) + amount;
  await kernel.pause('mid-call');
  await dawdle();
  return done({
    write: ({ db }) => db('probe_ledger').where({ id: at }).update({ sum }),
    answer: { sum, by: kernel.settings.nodeName },
  });
}

/** From any process. */
export const addTo = (kernel: Kernel, id: string, amount: number): Promise<{ sum: number; by: string }> =>
  ledger.at(tenantOf('probe', 'one'), id).request(kernel, { amount });

/** As long as a call to another service takes; a test that interrupts one makes it longer. */
async function dawdle(): Promise<void> {
  const milliseconds = Number(process.env['PROBE_DAWDLE_MS'] ?? 20);
  if (milliseconds > 20) process.stdout.write('dawdling\n');
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  if (milliseconds > 20) process.stdout.write('about to write\n');
}

export async function sumOf(kernel: Kernel, id: string): Promise<number> {
  const row = (await kernel.mysql('probe_ledger').where({ id }).first('sum')) as { sum: number } | undefined;
  return row?.sum ?? 0;
}

export async function openLedger(kernel: Kernel, id: string): Promise<void> {
  await kernel.mysql.raw('CREATE TABLE IF NOT EXISTS probe_ledger (id VARCHAR(40) PRIMARY KEY, sum INT NOT NULL)');
  await kernel.mysql('probe_ledger').insert({ id, sum: 0 });
}
