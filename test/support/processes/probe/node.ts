/** A web node as its own process, with the probe beside the real products. */
import { openNode } from '../../../../src/node';
import { productsOf } from '../../../../src/products';
import { runProcess } from '../../../../src/run';
import { probe } from './product';

void runProcess(async (config) => {
  // First, because the first product that has sockets gets them.
  const node = await openNode(config, [probe, ...productsOf(config)]);
  process.stdout.write(`listening on ${node.port}\n`);
  return node.kernel;
});
