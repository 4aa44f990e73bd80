/** Workers in the process of a test, started as the worker process starts them. */
import { startConsumer, type AnyConsumer } from '../../../src/kernel/jobs/consume';
import type { Kernel } from '../../../src/kernel/kernel';
import { openProducts, type OpenProduct, type Product } from '../../../src/kernel/product';
import { productsOf, workersOf } from '../../../src/products';
import type { Cluster } from './cluster';

/** Runs the workers of these names, or all, on their own kernel, which ends with the cluster. */
export async function startWorkers(cluster: Cluster, ...names: readonly string[]): Promise<Kernel> {
  const { kernel } = await startWorkersOf(cluster, productsOf(cluster.config()), names);
  return kernel;
}

export interface OpenWorkers {
  readonly kernel: Kernel;
  readonly open: readonly OpenProduct[];
}

/** The same, of products that a test has made; a test that observes what workers do puts itself around them. */
export async function startWorkersOf(
  cluster: Cluster,
  products: readonly Product[],
  names: readonly string[],
  around: (consumer: AnyConsumer) => AnyConsumer = (consumer) => consumer,
): Promise<OpenWorkers> {
  const kernel = await cluster.kernel({ NODE_NAME: 'worker' });
  const open = await openProducts(kernel, products);
  const workers = workersOf(open);
  for (const name of names.length > 0 ? names : Object.keys(workers)) {
    await startConsumer(kernel, around(workers[name]!));
  }
  return { kernel, open };
}
