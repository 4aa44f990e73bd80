/** A worker as its own process, for the probe's ledger. */
import { startConsumer } from '../../../src/kernel/jobs/consume';
import { openKernel } from '../../../src/kernel/kernel';
import { runProcess } from '../../../src/run';
import { ledger } from './ledger';

void runProcess(async (config) => {
  const kernel = await openKernel(config);
  await startConsumer(kernel, ledger.turns.add.consumer);
  process.stdout.write('working\n');
  return kernel;
});
