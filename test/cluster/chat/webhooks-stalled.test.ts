import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownProcesses } from '../../../scripts/lib/start/own-processes';
import { readSettings } from '../../../scripts/lib/start/settings';
import { supervise } from '../../../scripts/lib/start/supervise';
import { openWorkerHealth } from '../../../src/kernel/health/health';
import { watchWorkerHealth } from '../../../src/kernel/jobs/worker-health';
import { openCluster, type Cluster, type Environment, type TestNode } from '../../support/kernel/cluster';
import { deliver, deliveredIn } from '../../support/chat/deliveries';
import { newBot, type TestBot } from '../../support/operators';
import { killAll, startProcess } from '../../support/processes/processes';
import { ownDirectory } from '../../support/servers/services';
import { openSilentProxy } from '../../support/proxies/silent-proxy';
import { until } from '../../support/until';

const own = ownDirectory();
let cluster: Cluster;
let node: TestNode;
let bot: TestBot;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', WORKER_BEAT_MS: '200', WORKER_DEAF_MS: '3000' });
  await cluster.seed();
  node = await cluster.node();
  bot = await newBot(node.kernel, 'deaf');
});
afterEach(killAll);
afterAll(async () => {
  await cluster.close();
  own.remove();
});

const arrives = (topic: string, name: string) =>
  until(
    () => deliveredIn(node.kernel, topic),
    (names) => names.includes(name),
  );

/** The worker as `npm start` runs and watches it. */
function superviseWorker(more: Environment) {
  const places = { run: join(own.path, 'run'), logs: join(own.path, 'logs') };
  for (const path of [own.path, places.run, places.logs]) mkdirSync(path, { recursive: true });
  const settings = { ...readSettings({}), dataDir: own.path, workers: 1 };
  const env = { PATH: process.env['PATH'] ?? '', ...cluster.environment, LOG_LEVEL: 'info', ...more };
  const spec = ownProcesses(settings, env).find(({ name }) => name === 'worker-1')!;
  const told: string[] = [];
  const child = supervise(spec, places, (text: string) => void told.push(text));
  return { child, told, pid: () => Number(readFileSync(join(places.run, 'worker-1.pid'), 'utf8')) };
}

test('A frozen worker is replaced, and its waiting deliveries are done', async () => {
  const worker = superviseWorker({});
  try {
    expect(await worker.child.whenReady(60_000)).toBe(true);
    await deliver(node, bot, 'before', 'frozen');
    await arrives('frozen', 'before');
    const frozen = worker.pid();
    process.kill(frozen, 'SIGSTOP');
    await deliver(node, bot, 'meanwhile', 'frozen');
    await arrives('frozen', 'meanwhile');
    expect(worker.pid()).not.toBe(frozen);
    expect(worker.told[0]).toBe('worker-1 has stalled and is replaced');
    expect(await deliveredIn(node.kernel, 'frozen')).toEqual(['before', 'meanwhile']);
  } finally {
    await worker.child.stop(10_000);
  }
});

test('A worker whose connections to Redis fell silent continues with new ones, or exits to be replaced', async () => {
  const url = new URL(cluster.environment['REDIS_URL']!);
  const proxy = await openSilentProxy(Number(url.port));
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  const worker = superviseWorker({ REDIS_URL: url.href });
  try {
    expect(await worker.child.whenReady(60_000)).toBe(true);
    await deliver(node, bot, 'before', 'silent');
    await arrives('silent', 'before');
    proxy.silence();
    expect(proxy.silenced).toBeGreaterThan(2);
    await deliver(node, bot, 'meanwhile', 'silent');
    await arrives('silent', 'meanwhile');
  } finally {
    await worker.child.stop(10_000);
    await proxy.close();
  }
});

test('A worker whose event loop stalls ends itself', async () => {
  const stuck = startProcess('test/support/processes/probe/stuck-worker.ts', cluster.environment);
  await stuck.line(/working/);
  expect(await stuck.ended).toBe('SIGKILL');
  expect(stuck.output()).toContain('the event loop stands still');
});

test.each([
  ['of nobody in particular', 'test-deaf', {}],
  ['of a tenant', 'test-deaf-to-tenants', { priority: 1 }],
])('A worker that takes no jobs %s while some wait reports a stall and is told to end', async (...given) => {
  const [, name, options] = given;
  const kernel = await cluster.kernel();
  // Opens a slot for the queue without a worker behind it.
  kernel.running.open(name, 1);
  const queue = await kernel.jobs.registry.queue(name);
  await queue.pause();
  await queue.add(name, { payload: null }, options);
  const looks = jest.spyOn(queue, 'isPaused');
  const reasons: string[] = [];
  const watched = watchWorkerHealth(kernel, { heartbeatFile: '', onStall: (reason) => void reasons.push(reason) });
  const config = { ...cluster.config(), workerPort: 0 };
  const { port } = await openWorkerHealth(kernel, config, { migrationFolders: [], trouble: watched.trouble });
  const health = async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).status;
  // It checks at each heartbeat: after this many, a queue that is not paused would count as stalled.
  const { workerStallMs, workerBeatMs } = kernel.settings;
  await until(() => looks.mock.calls.length > (1.3 * workerStallMs) / workerBeatMs);
  expect({ reasons, status: await health() }).toEqual({ reasons: [], status: 200 });
  await queue.resume();
  expect(await until(health, (status) => status === 503)).toBe(503);
  expect(reasons[0]).toBe(`takes no jobs of ${name} though some wait`);
});
