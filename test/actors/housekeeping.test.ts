import { redisKey, tenantOf } from '../../src/kernel/actor/address';
import { housekeeping } from '../../src/kernel/jobs/housekeeping';
import type { Kernel } from '../../src/kernel/kernel';
import { openCluster, type Cluster } from '../support/kernel/cluster';

/** More than is deleted at once, and not a multiple of it. */
const OLD = 1200;
const TENANTS = ['one', 'two', 'three'].map((id) => tenantOf('test', id));

let cluster: Cluster;
let kernels: Kernel[];

beforeAll(async () => {
  cluster = await openCluster();
  kernels = [await cluster.kernel({ NODE_NAME: 'one' }), await cluster.kernel({ NODE_NAME: 'two' })];
});
afterAll(() => cluster.close());

const run = (kernel: Kernel) => housekeeping.run(kernel, null, { signal: kernel.lifecycle.draining });

test('Concurrent housekeeping of several workers deletes every expired row once, and no other row', async () => {
  const [{ mysql, redis, namespace }] = kernels as [Kernel, Kernel];
  const logOf = (tenant: (typeof TENANTS)[number]) => `${redisKey(namespace, { tenant, kind: 'log', id: '' })}:rows`;
  for (const tenant of TENANTS) {
    await mysql.raw(
      'INSERT INTO kernel_outbox (publisher, tenant, number, body, created_at, published_at, is_replayable) ' +
        "SELECT 'log', ?, seq, '{}', NOW(3), NOW(3) - INTERVAL IF(seq <= ?, 30, 0) DAY, seq % 2 " +
        `FROM seq_1_to_${OLD + 2}`,
      [tenant, OLD],
    );
    for (let number = OLD - 3; number <= OLD + 2; number += 1) {
      await redis.commands.xadd(logOf(tenant), `${number}-0`, 'body', '{}');
    }
  }
  await mysql.raw(
    'INSERT INTO kernel_job_requests (id, job, state, created_at) ' +
      "SELECT CONCAT('ask-', seq), 'x', 'done', NOW(3) - INTERVAL IF(seq <= ?, 30, 0) DAY " +
      `FROM seq_1_to_${OLD + 1}`,
    [OLD],
  );

  await Promise.all([...kernels, ...kernels].map(run));

  for (const tenant of TENANTS) {
    const left = await mysql('kernel_outbox').where({ tenant }).orderBy('number').pluck('number');
    expect(left).toEqual([OLD + 1, OLD + 2]);
    const entries = await redis.commands.xrange(logOf(tenant), '-', '+');
    expect(entries.map(([id]) => id)).toEqual([`${OLD + 1}-0`, `${OLD + 2}-0`]);
  }
  expect(await mysql('kernel_job_requests').pluck('id')).toEqual([`ask-${OLD + 1}`]);
});
