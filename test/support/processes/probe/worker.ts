/** A worker as its own process, for the probe's ledger. */
import { startConsumer } from '../../../../src/kernel/jobs/consume';
import { openKernel } from '../../../../src/kernel/kernel';
import { runProcess } from '../../../../src/run';
import { ledgerWorker } from './ledger';

void runProcess(async (config) => {
  const kernel = await openKernel(config);
  await startConsumer(kernel, ledgerWorker);
  process.stdout.write('working\n');
  return kernel;
});
