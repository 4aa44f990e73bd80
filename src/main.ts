/** Entry point of a web node process. */
import { openNode } from './node';
import { runProcess } from './run';

void runProcess(async (config) => {
  const node = await openNode(config);
  node.kernel.log.info({ host: config.host, port: node.port }, 'node ready');
  return node.kernel;
});
