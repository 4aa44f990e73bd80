// Acknowledged work is done, whatever is killed or lost meanwhile: every kind of job is tested.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { seedDemo as seedChat } from '../../src/chat/commands/demo/seed-demo';
import { seedDemo as seedTelephony } from '../../src/telephony/commands/seed-demo';
import { actAs } from '../api/telephony/people';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { operator } from '../support/operators';
import { openOtherServer, OTHER_SERVER, type OtherServer } from '../support/servers/other-server';
import { killAll, startProcess, type TestProcess } from '../support/processes/processes';
import { ownDirectory, startRedis } from '../support/servers/services';
import { pbxAt, type PbxSide } from '../support/telephony/telephony';
import { until } from '../support/until';
import { countUnqueued, kinds, type IsDone, type Surroundings } from './durable-kinds';

const own = ownDirectory();
const directory = join(own.path, 'redis');
const backup = join(own.path, 'backup');
const pbxFolder = mkdtempSync(join(tmpdir(), 'pbx-'));
let redis: Awaited<ReturnType<typeof startRedis>>;
let cluster: Cluster;
let around: Surroundings;
let pbx: PbxSide;
let worker: TestProcess | undefined;
let other: OtherServer;

/** Every write is on disk at once, so that a copy of the folder is a past state. */
const startOwnRedis = (port?: number) =>
  startRedis({ dir: directory, appendonly: true, password: 'secret', ...(port === undefined ? {} : { port }) });

beforeAll(async () => {
  redis = await startOwnRedis();
  other = await openOtherServer();
  const simulator = startProcess('simulators/pbx/main.ts', { DATA_DIR: pbxFolder, PBX_SIM_PORT: '0' });
  const [, pbxUrl = ''] = await simulator.line(/listening on (\S+),/);
  pbx = pbxAt(pbxUrl);
  cluster = await openCluster({
    ...OTHER_SERVER,
    REDIS_URL: redis.url,
    // A busy machine takes long to start a worker.
    REDIS_DEADLINE_MS: '5000',
    RATE_LIMIT: 'off',
    PBX_SWEEP_MS: '500',
    RECONCILE_MS: '2000',
    // On a busy machine a worker would be late to renew a shorter lease.
    LEASE_MS: '3000',
    JOB_LOCK_MS: '3000',
    // Shorter than a worker takes to start: the rows of a bulk order outlive the worker they waited for.
    PBX_OPERATION_MS: '1500',
  });
  const seeder = await cluster.kernel();
  await seedChat(seeder);
  await seedTelephony(seeder, pbxUrl);
  const node = await cluster.node();
  around = {
    client: node,
    owner: actAs(node, 'demo-key-one'),
    operator: await operator(seeder, node, 'walker', 'read'),
    databaseUrl: cluster.environment['DATABASE_URL']!,
    other,
  };
});
afterEach(async () => {
  await pbx.fault({ mode: 'ok' });
  await killWorker();
});
afterAll(async () => {
  await killAll();
  await cluster.close();
  await other.close();
  await redis.kill();
  own.remove();
  rmSync(pbxFolder, { recursive: true, force: true });
});

async function startWorker(): Promise<TestProcess> {
  worker = startProcess('workers/main.ts', { ...cluster.environment, LOG_LEVEL: 'info' });
  await worker.line(/worker ready/);
  return worker;
}

async function killWorker(): Promise<void> {
  worker?.kill('SIGKILL');
  await worker?.ended;
  worker = undefined;
}

async function beginAll(): Promise<Map<string, IsDone>> {
  const begun = new Map<string, IsDone>();
  for (const [kind, begin] of Object.entries(kinds)) begun.set(kind, await begin(around));
  return begun;
}

const allAreQueued = () =>
  until(
    () => countUnqueued(around),
    (rows) => rows === 0,
  );

/** Names the kinds that were not done in time. */
async function expectAllDone(begun: ReadonlyMap<string, IsDone>): Promise<void> {
  const since = new Date();
  let left = [...begun.keys()];
  await until(
    async () => {
      const done = await Promise.all(left.map((kind) => begun.get(kind)!(since)));
      left = left.filter((_, index) => !done[index]);
      return left;
    },
    ({ length }) => length === 0,
  );
}

test('Every kind of job that a worker knows is covered by these tests', async () => {
  const refused = startProcess('workers/main.ts', cluster.environment, ['none']);
  const [, names = ''] = await refused.line(/there is no worker named none; there are ([a-z, -]+)/);
  expect(names.split(', ').sort()).toEqual(Object.keys(kinds).sort());
});

test('A worker that is killed in the middle of its work leaves nothing undone', async () => {
  await pbx.fault({ mode: 'slow', delay_ms: 200 });
  await startWorker();
  const begun = await beginAll();
  await until(
    async () => (await around.operator.get('/queues')).body.queues as { queue: string; active: number }[],
    (queues) => queues.some(({ queue, active }) => queue === 'mailbox-pbx-bulk' && active > 0),
  );
  await killWorker();
  await pbx.fault({ mode: 'ok' });
  await startWorker();
  await expectAllDone(begun);
});

test('A Redis that comes back with older data leaves nothing undone, even if the worker was killed', async () => {
  await redis.kill();
  cpSync(directory, backup, { recursive: true });
  redis = await startOwnRedis(redis.port);
  const begun = await beginAll();
  await allAreQueued();
  await redis.kill();
  rmSync(directory, { recursive: true });
  cpSync(backup, directory, { recursive: true });
  redis = await startOwnRedis(redis.port);
  await startWorker();
  await expectAllDone(begun);
});

test('A Redis that loses everything while all stay connected leaves nothing undone', async () => {
  const frozen = await startWorker();
  frozen.kill('SIGSTOP');
  const begun = await beginAll();
  await allAreQueued();
  const connection = new Redis(redis.url);
  await connection.flushall();
  connection.disconnect();
  frozen.kill('SIGCONT');
  await expectAllDone(begun);
});

test('A Redis that comes back empty leaves nothing undone, even if the worker was killed', async () => {
  const begun = await beginAll();
  await allAreQueued();
  await redis.kill();
  rmSync(join(directory, 'appendonlydir'), { recursive: true });
  redis = await startOwnRedis(redis.port);
  await startWorker();
  await expectAllDone(begun);
});
