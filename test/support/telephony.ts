/** A telephony stack for tests: a simulated PBX with its switches, a node, a worker, and the demo companies. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPbx } from '../../simulators/pbx/server';
import { startConsumer } from '../../src/kernel/jobs/consume';
import type { Kernel } from '../../src/kernel/kernel';
import { seedDemo } from '../../src/telephony/commands/seed-demo';
import { pbxBulk } from '../../workers/pbx-bulk';
import { pbxProvisioning } from '../../workers/pbx-provisioning';
import { pbxReconciliation } from '../../workers/pbx-reconciliation';
import { pbxSweep } from '../../workers/pbx-sweep';
import { openPeople, type People } from '../api/telephony/people';
import { openCluster, type Cluster, type Environment, type TestNode } from './cluster';

export interface PbxFault {
  readonly instance?: string;
  readonly mode: string;
  readonly times?: number | null;
  readonly delay_ms?: number;
  readonly list?: boolean;
  readonly late?: boolean;
}

export interface HeldExtension {
  readonly number: number;
  readonly name: string;
  readonly secret: string;
  readonly operation: string;
}

/** What a test sees and does at the PBX itself. */
export interface PbxSide {
  readonly url: string;
  holds(instance: string): Promise<HeldExtension[]>;
  numbers(instance: string): Promise<number[]>;
  fault(fault: PbxFault): Promise<void>;
  /** The changing requests it saw. */
  requests(
    instance: string,
  ): Promise<{ method: string; number: string; idempotency_key: string; key_requests: number }[]>;
  /** Changes it behind our back. */
  put(instance: string, number: number, extension: object): Promise<void>;
  remove(instance: string, number: number): Promise<void>;
}

export function pbxAt(url: string): PbxSide {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${url}${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    return (await response.json()) as T;
  };
  const holds = (instance: string) => call<HeldExtension[]>('GET', `/instances/${instance}/extensions`);
  return {
    url,
    holds,
    numbers: async (instance) => (await holds(instance)).map(({ number }) => number),
    fault: async (fault) => void (await call('PUT', '/faults', { instance: '*', ...fault })),
    requests: (instance) => call('GET', `/requests?instance=${instance}`),
    put: async (instance, number, extension) =>
      void (await call('PUT', `/instances/${instance}/extensions/${number}`, { number, ...extension })),
    remove: async (instance, number) => void (await call('DELETE', `/instances/${instance}/extensions/${number}`)),
  };
}

export interface TelephonyStack {
  readonly cluster: Cluster;
  readonly node: TestNode;
  readonly worker: Kernel;
  readonly pbx: PbxSide;
  readonly people: People;
  close(): Promise<void>;
}

export async function openTelephony(more: Environment = {}): Promise<TelephonyStack> {
  const folder = mkdtempSync(join(tmpdir(), 'pbx-'));
  const server = await startPbx({ host: '127.0.0.1', port: 0, folder });
  const cluster = await openCluster({ RATE_LIMIT: 'off', ...more });
  await seedDemo(await cluster.kernel(), server.url);
  const node = await cluster.node();
  const worker = await cluster.kernel({ NODE_NAME: 'worker' });
  const config = cluster.config();
  for (const consumer of [pbxProvisioning(config), pbxSweep(config), pbxReconciliation(config), pbxBulk(config)]) {
    await startConsumer(worker, consumer);
  }
  return {
    cluster,
    node,
    worker,
    pbx: pbxAt(server.url),
    people: await openPeople(node),
    async close() {
      await cluster.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
