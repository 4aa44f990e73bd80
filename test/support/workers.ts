/** Workers in the process of a test, started as the worker process starts them. */
import { startConsumer } from '../../src/kernel/jobs/consume';
import type { Kernel } from '../../src/kernel/kernel';
import { openProducts } from '../../src/kernel/product';
import { productsOf, workersOf } from '../../src/products';
import type { Cluster } from './cluster';

/** Runs the workers of these names, or all, on a kernel of their own, which ends with the cluster. */
export async function startWorkers(cluster: Cluster, ...names: readonly string[]): Promise<Kernel> {
  const kernel = await cluster.kernel({ NODE_NAME: 'worker' });
  const workers = workersOf(await openProducts(kernel, productsOf(cluster.config())));
  for (const name of names.length > 0 ? names : Object.keys(workers)) await startConsumer(kernel, workers[name]!);
  return kernel;
}
