/** Telephony as in production: the worker and the PBX are processes, which tests kill and freeze. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onFreePorts } from '../../../scripts/lib/ports';
import { seedDemo } from '../../../src/telephony/commands/seed-demo';
import { openPeople, type People } from '../../api/telephony/people';
import { openCluster, type Cluster, type Environment, type TestNode } from '../../support/kernel/cluster';
import { startProcess, type TestProcess } from '../../support/processes/processes';
import type { PbxVendor } from '../../support/telephony/pbx-vendors';
import { pbxAt, speak, type PbxSide } from '../../support/telephony/telephony';
import { until } from '../../support/until';

/** Workers die here, so leases are short. Orders have long deadlines, so that a slow machine carries them out too. */
const PATIENT: Environment = { PBX_CALL_MS: '60000', PBX_OPERATION_MS: '120000' };

export interface ProcessStack {
  readonly cluster: Cluster;
  readonly node: TestNode;
  readonly people: People;
  readonly pbx: PbxSide;
  startWorker(more?: Environment): Promise<TestProcess>;
  killWorkers(): Promise<void>;
  /** On the same port and with the same store, as after a crash. */
  startPbx(): Promise<void>;
  /** Kills it without a chance to clean up. */
  killPbx(): Promise<void>;
  /** The states of unfinished orders. */
  open(): Promise<string[]>;
  /** The numbers in the REST list. */
  listed(instance: string): Promise<number[]>;
  /** Waits until nothing is left to do or undo, then returns the differences. */
  differences(instance: string): Promise<{ pbx: string[]; database: string[] }>;
  close(): Promise<void>;
}

export async function openProcessStack(more: Environment = {}, vendor: PbxVendor = 'simulated'): Promise<ProcessStack> {
  const folder = mkdtempSync(join(tmpdir(), 'pbx-'));
  const workers = new Set<TestProcess>();
  let port: number;
  let running: TestProcess;
  async function startPbx(): Promise<void> {
    running = startProcess('simulators/pbx/main.ts', { DATA_DIR: folder, PBX_SIM_PORT: String(port) });
    await running.line(/listening on/);
  }
  await onFreePorts(async (next) => {
    port = await next();
    await startPbx();
  });
  const url = `http://127.0.0.1:${port!}`;
  const cluster = await openCluster({ RATE_LIMIT: 'off', PBX_SWEEP_MS: '200', ...PATIENT, ...more });
  const seeder = await cluster.kernel();
  await seedDemo(seeder, url);
  await speak(seeder, url, vendor);
  const node = await cluster.node();
  const people = await openPeople(node);
  const pbx = pbxAt(url, vendor);

  async function database(
    instance: string,
  ): Promise<{ _id: string; data: { id: number; name: string; secret: string } }[]> {
    const by = instance.endsWith('1') ? people.owner : people.stranger;
    const { status, body } = await by('GET', `/instances/${instance}/bulks/extensions?page_size=1000`);
    return status === 404 ? [] : body;
  }
  const open: ProcessStack['open'] = () =>
    node.kernel.mysql('tel_operations').whereIn('state', ['pending', 'running', 'undoing']).pluck('state');

  return {
    cluster,
    node,
    people,
    pbx,
    startPbx,
    async killPbx() {
      running.kill('SIGKILL');
      await running.ended;
    },
    async startWorker(extra = {}) {
      const environment = { ...cluster.environment, LOG_LEVEL: 'debug', ...extra };
      const worker = startProcess('workers/main.ts', environment, ['pbx']);
      workers.add(worker);
      await worker.line(/worker ready/);
      return worker;
    },
    async killWorkers() {
      for (const worker of workers) worker.kill('SIGKILL');
      await Promise.all([...workers].map(({ ended }) => ended));
      workers.clear();
    },
    open,
    listed: async (instance) => (await database(instance)).map(({ data }) => data.id),
    async differences(instance) {
      await until(open, (states) => states.length === 0);
      const held = (await pbx.holds(instance)).map(({ number, name, secret }) => `${number} ${name} ${secret}`);
      const kept = (await database(instance)).map(({ data }) => `${data.id} ${data.name} ${data.secret}`);
      return {
        pbx: held.filter((each) => !kept.includes(each)),
        database: kept.filter((each) => !held.includes(each)),
      };
    },
    async close() {
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Places an order with a worker that stops once the PBX has done it, and kills that worker there; another takes over.
 */
export async function killMidCall<T>(stack: ProcessStack, instance: string, order: () => Promise<T>): Promise<T> {
  const doomed = await stack.startWorker({ NODE_NAME: 'doomed', PAUSE_AT: 'mid-call' });
  const answer = order();
  await doomed.line(/paused at mid-call/);
  const heir = await stack.startWorker({ NODE_NAME: 'heir' });
  doomed.kill('SIGKILL');
  const result = await answer;
  expect(await stack.differences(instance)).toEqual({ pbx: [], database: [] });
  heir.kill('SIGTERM');
  expect(await heir.ended).toBe(0);
  return result;
}
