/** Ledger: a leased actor for tests. Each turn reads a sum, dawdles as a call to the outside would, and writes the next. */
import { defineActor } from '../../../src/kernel/actor/actor';
import { tenantOf } from '../../../src/kernel/actor/address';
import { Superseded } from '../../../src/kernel/actor/fence';
import { leasedTurn, type Order } from '../../../src/kernel/actor/leased-turn';
import { Fault } from '../../../src/kernel/fault';
import { defineJob } from '../../../src/kernel/jobs/job';
import type { Kernel } from '../../../src/kernel/kernel';

export const LEDGER_TENANT = tenantOf('probe', 'one');

const addJob = defineJob<Order<number>, { sum: number; by: string }>('probe-add', { attempts: 3, backoffMs: 50 });

export const ledger = defineActor('ledger', {
  add: leasedTurn(addJob, 8, async (turn, amount: number) => {
    if (amount < 0) throw new Fault('invalid', 'Only more, never less', { code: 'NEGATIVE', fields: { amount } });
    const before = await sumOf(turn.kernel, turn.address.id);
    await turn.kernel.pause('mid-call');
    await dawdle();
    await turn
      .commit(({ db }) =>
        db('probe_ledger')
          .where({ id: turn.address.id })
          .update({ sum: before + amount }),
      )
      .catch((error: Error) => {
        if (error instanceof Superseded) process.stdout.write('superseded\n');
        throw error;
      });
    return { sum: before + amount, by: turn.kernel.settings.nodeName };
  }),
});

/** As long as a call to the outside takes; a test that wants to catch one in the middle makes it longer. */
async function dawdle(): Promise<void> {
  const milliseconds = Number(process.env['PROBE_DAWDLE_MS'] ?? 20);
  if (milliseconds > 20) process.stdout.write('dawdling\n');
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export async function sumOf(kernel: Kernel, id: string): Promise<number> {
  const row = (await kernel.mysql('probe_ledger').where({ id }).first('sum')) as { sum: number } | undefined;
  return row?.sum ?? 0;
}

export async function openLedger(kernel: Kernel, id: string): Promise<void> {
  await kernel.mysql.raw('CREATE TABLE IF NOT EXISTS probe_ledger (id VARCHAR(40) PRIMARY KEY, sum INT NOT NULL)');
  await kernel.mysql('probe_ledger').insert({ id, sum: 0 });
}
