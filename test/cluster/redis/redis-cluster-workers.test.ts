// Workers on a Redis Cluster that takes longer to promote a replica than a blocking read of BullMQ lasts (5 s): they
// continue with the new primary. All of their reads fail while there is no primary, which is when a connection may be
// lost for good.
import type { Kernel } from '../../../src/kernel/kernel';
import { installationKey } from '../../../src/kernel/redis/keys';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { mailboxWith, request, startEcho } from '../../support/kernel/mailboxes';
import { expectSoon } from '../../support/promised';
import { startRedisCluster, type RedisCluster } from '../../support/servers/redis-cluster';
import { signal } from '../../support/servers/sentinels';
import { ownDirectory } from '../../support/servers/services';
import { PATIENCE_MS } from '../../support/until';
import { noteFigures } from './failover-load';

/** `npm run faults` has more of each. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? '1');
const DEAD_AFTER_MS = 4000;
/** From the promotion. */
const JOBS_MS = 10_000;
/** Several workers, each with its own connections: one lost connection among them is enough to fail. */
const MAILBOXES = Array.from({ length: 8 }, () => mailboxWith({ sweepMs: 1000 }));

jest.setTimeout(900_000 + ROUNDS * 60_000);

const own = ownDirectory();
let redis: RedisCluster;
let cluster: Cluster;
let asking: Kernel;
let key: string;

beforeAll(async () => {
  redis = await startRedisCluster(own.path, { hasReplicas: true, deadAfterMs: DEAD_AFTER_MS });
  // As in production, so that a frozen server is noticed as soon.
  cluster = await openCluster({ REDIS_DEADLINE_MS: '1000', ...redis.environment });
  asking = await cluster.kernel();
  const working = await cluster.kernel();
  for (const mailbox of MAILBOXES) await startEcho(working, mailbox);
  key = installationKey(asking.namespace, 'kept');
});
afterAll(async () => {
  await cluster?.close();
  await redis?.close();
  own.remove();
});

/** Every worker does a job. Returns the milliseconds from a moment until the last one had done its job. */
async function allWork(word: string, since = Date.now()): Promise<number> {
  const answers = await Promise.all(MAILBOXES.map((mailbox) => request(asking, mailbox, word, PATIENCE_MS)));
  expect(answers).toEqual(MAILBOXES.map(() => word));
  return Date.now() - since;
}

async function failOver(fault: string, strike: (primary: Server) => Promise<void>, mend: (primary: Server) => unknown) {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await redis.isWhole();
    await allWork(`before ${fault} ${round}`);
    const primary = await redis.primaryOf(key);
    const promotion = redis.promotion(key, primary);
    await strike(primary);
    took.push(await allWork(`after ${fault} ${round}`, await promotion));
    await mend(primary);
  }
  const jobs = ROUNDS * MAILBOXES.length;
  const seconds = Math.max(...took) / 1000;
  noteFigures(`Redis Cluster, node timeout 4 s: ${fault}`, { kind: 'jobs', sent: jobs, received: jobs, seconds });
  expectSoon(seconds * 1000, JOBS_MS);
}

type Server = Awaited<ReturnType<RedisCluster['primaryOf']>>;

test('All workers take jobs again after the primary of the queues was frozen until its replica took over', async () => {
  await failOver(
    'a primary frozen',
    async ({ pid }) => signal(pid, 'SIGSTOP'),
    ({ pid }) => signal(pid, 'SIGCONT'),
  );
});

test('All workers take jobs again after the primary of the queues was killed and its replica took over', async () => {
  await failOver(
    'a primary killed',
    (primary) => primary.kill(),
    (primary) => redis.revive(primary),
  );
});
