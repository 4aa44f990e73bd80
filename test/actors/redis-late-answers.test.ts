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

test('A process that blocks at its start for longer than the Redis deadline repairs Redis again, and logs no warning', async () => {
  const kernel = await cluster.kernel({ SWEEP_INTERVAL_MS: '3600000' });
  const warn = jest.spyOn(kernel.log, 'warn');
  const { commands } = kernel.redis;
  const marker = installationKey(kernel.namespace, 'kept');
  const set = jest.spyOn(commands, 'set').mockImplementationOnce((...given) => {
    const sent = commands.call('SET', ...(given as string[])) as Promise<'OK'>;
    standStill(1500);
    return sent;
  });
  await until(() => set.mock.calls.length === 2);
  await until(
    () => commands.get(marker),
    (written) => written !== null,
  );
  expect(warn).not.toHaveBeenCalled();
});
