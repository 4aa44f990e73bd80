import { bullmqAdmin } from '../../src/kernel/jobs/bullmq-admin';
import { consume, startConsumer } from '../../src/kernel/jobs/consume';
import { defineJob } from '../../src/kernel/jobs/job';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { backlogOf } from '../support/kernel/mailboxes';
import { until } from '../support/until';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await openCluster();
});
afterAll(() => cluster.close());

test('A failed scheduled job is no longer a dead letter once it has run again', async () => {
  const kernel = await cluster.kernel();
  let isStoreAway = true;
  let runs = 0;
  const consumer = consume(defineJob<null>('test-schedule'), {
    concurrency: 1,
    schedule: () => ({ everyMs: 100, payload: null }),
    async run() {
      if (isStoreAway) throw new Error('the store is away');
      runs += 1;
    },
  });
  await startConsumer(kernel, consumer);
  const dead = async () => (await backlogOf(kernel, bullmqAdmin)).dead;
  await until(dead, (count) => count > 2);
  isStoreAway = false;
  await until(() => runs > 0);
  expect(await until(dead, (count) => count === 0)).toBe(0);
});
