// The example configurations of Redis that the documents refer to.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { onFreePorts } from '../../../scripts/lib/ports';
import { startSentinel } from '../../support/servers/sentinels';
import { ownDirectory, startRedis } from '../../support/servers/services';

const linesOf = (example: string) => readFileSync(join(__dirname, '../../../deploy', example), 'utf8').split('\n');

test('A Sentinel starts with deploy/sentinel.conf and watches the primary that it names', async () => {
  const own = ownDirectory();
  const sentinel = await startSentinel(own.path, linesOf('sentinel.conf'));
  const operator = new Redis({ port: sentinel.port, password: 'password-of-the-sentinels' });
  expect(await operator.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'main')).toEqual(['10.0.0.1', '6379']);
  operator.disconnect();
  await sentinel.kill();
  own.remove();
});

test('A Redis starts with deploy/redis-cluster.conf as a node of a cluster', async () => {
  const own = ownDirectory();
  const example = linesOf('redis-cluster.conf').filter((line) => !line.startsWith('port '));
  // By default it opens a second port, which may not exist.
  const node = await onFreePorts(async (next) => {
    const extra = [...example, `cluster-port ${await next()}`];
    return startRedis({ dir: own.path, password: 'password-of-redis', extra });
  });
  const operator = new Redis({ port: node.port, password: 'password-of-redis' });
  expect(await operator.info('cluster')).toContain('cluster_enabled:1');
  operator.disconnect();
  await node.kill();
  own.remove();
});
