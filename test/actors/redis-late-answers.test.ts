/** A process that reads responses from Redis after their deadline, because it is loading code while it starts. */
import { installationKey } from '../../src/kernel/redis/keys';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { standStill } from '../support/processes/stand-still';
import { until } from '../support/until';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await openCluster({ REDIS_DEADLINE_MS: '1000' });
});
afterAll(() => cluster.close());

test('A process that blocks at its start for longer than the Redis deadline checks for lost jobs again, and logs no warning', async () => {
  const kernel = await cluster.kernel({ SWEEP_INTERVAL_MS: '3600000' });
  const warn = jest.spyOn(kernel.log, 'warn');
  const commands = jest.spyOn(kernel.redis.commands, 'eval');
  standStill(1500);
  const mark = () => kernel.redis.commands.get(installationKey(kernel.namespace, 'kept'));
  await until(mark, (written) => written !== null);
  expect(commands).toHaveBeenCalled();
  expect(warn).not.toHaveBeenCalled();
});
