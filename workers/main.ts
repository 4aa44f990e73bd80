/** A worker process: runs the workers named on the command line, or all of its products' workers, until stopped. */
import type * as Health from '../src/kernel/health/health';
import { startConsumer, type AnyConsumer, type Workers } from '../src/kernel/jobs/consume';
import { watchWorkerHealth } from '../src/kernel/jobs/worker-health';
import { openKernel } from '../src/kernel/kernel';
import { openProducts } from '../src/kernel/product';
import { migrationFolders, productsOf, workersOf } from '../src/products';
import { runProcess } from '../src/run';

function chosen(workers: Workers, asked: readonly string[]): [string, AnyConsumer][] {
  const unknown = asked.filter((name) => !Object.hasOwn(workers, name));
  if (unknown.length > 0) {
    throw new Error(`there is no worker named ${unknown.join(', ')}; there are ${Object.keys(workers).join(', ')}`);
  }
  return Object.entries(workers).filter(([name]) => asked.length === 0 || asked.includes(name));
}

void runProcess(async (config) => {
  const products = productsOf(config);
  const kernel = await openKernel(config);
  const open = await openProducts(kernel, products);
  const workers = chosen(workersOf(open), process.argv.slice(2));
  for (const [, worker] of workers) await startConsumer(kernel, worker);
  const { trouble } = watchWorkerHealth(kernel, {
    heartbeatFile: config.heartbeatFile,
    onStall(reason) {
      kernel.log.fatal({ reason }, 'this worker has stopped taking jobs and exits; its supervisor must start another');
      process.exit(1);
    },
  });
  if (config.workerPort > 0) {
    // A worker without this port needs no web server.
    const { openWorkerHealth } = require('../src/kernel/health/health') as typeof Health;
    await openWorkerHealth(kernel, config, { migrationFolders: migrationFolders(products), trouble });
  }
  kernel.log.info({ workers: workers.map(([name]) => name) }, 'worker ready');
  return kernel;
});
