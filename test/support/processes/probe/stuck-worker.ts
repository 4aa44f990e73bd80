/** A worker whose event loop blocks forever after its first heartbeat. */
import { watchWorkerHealth } from '../../../../src/kernel/jobs/worker-health';
import { openKernel } from '../../../../src/kernel/kernel';
import { runProcess } from '../../../../src/run';

void runProcess(async (config) => {
  const kernel = await openKernel(config);
  watchWorkerHealth(kernel, { heartbeatFile: '', onStall: () => process.exit(1) });
  process.stdout.write('working\n');
  setTimeout(() => {
    for (;;);
  }, 100);
  return kernel;
});
