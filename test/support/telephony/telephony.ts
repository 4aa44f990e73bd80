/** A telephony stack for tests: a simulated PBX with its switches, a node, a worker, and the demo companies. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPbx } from '../../../simulators/pbx/server';
import { VENDORS } from '../../../simulators/pbx/vendors';
import type { Kernel } from '../../../src/kernel/kernel';
import { productsOf } from '../../../src/products';
import { seedDemo } from '../../../src/telephony/commands/seed-demo';
import type { ProvisioningSettings } from '../../../src/telephony/model/extensions/operation';
import { openPeople, type People } from '../../api/telephony/people';
import { openCluster, type Cluster, type Environment, type TestNode } from '../kernel/cluster';
import { telephonyIn } from '../kernel/parts';
import { ownCallDeadlines, ownPatience, PATIENT, type CallDeadlines } from './pbx-deadlines';
import { PBX_VENDORS, type PbxVendor } from './pbx-vendors';
import { until } from '../until';
import { startWorkersOf } from '../kernel/workers';

export interface PbxFault {
  readonly instance?: string;
  readonly mode: string;
  readonly times?: number | null;
  readonly delay_ms?: number;
  readonly list?: boolean;
  readonly late?: boolean;
  readonly changes?: boolean;
}

export interface HeldExtension {
  readonly number: number;
  readonly name: string;
  readonly secret: string;
  readonly operation: string;
}

/** What a test reads and does at the PBX itself. */
export interface PbxSide {
  readonly url: string;
  holds(instance: string): Promise<HeldExtension[]>;
  numbers(instance: string): Promise<number[]>;
  fault(fault: PbxFault): Promise<void>;
  /** The changing requests that it received. */
  requests(
    instance: string,
  ): Promise<{ method: string; number: string; idempotency_key: string; key_requests: number }[]>;
  /** Resolves when the calls that a fault has hit are over, also those whose caller is gone. */
  quiet(): Promise<unknown>;
  /** Changes it behind the server's back. */
  put(instance: string, number: number, extension: object): Promise<void>;
  remove(instance: string, number: number): Promise<void>;
}

/** Makes the server use this API for both demo companies' instances. */
export async function speak(kernel: Kernel, url: string, vendor: PbxVendor): Promise<void> {
  const { folder, credentials } = PBX_VENDORS[vendor];
  if (folder === undefined || credentials === undefined) return;
  await kernel.mysql('tel_instances').update({
    backend: vendor,
    address: kernel.mysql.raw('CONCAT(?, uuid)', [`${url}/${folder}/`]),
    credentials: kernel.secrets.encrypt(credentials),
  });
}

export function pbxAt(url: string, vendor: PbxVendor = 'simulated'): PbxSide {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${url}${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    return (await response.json()) as T;
  };
  const authorization = `Basic ${Buffer.from(VENDORS['asterisk-ari'].credentials).toString('base64')}`;
  const asterisk = async (method: string, [instance, type, id]: [string, string, number], fields: object = {}) => {
    const list = Object.entries(fields).map(([attribute, value]) => ({ attribute, value: String(value) }));
    await fetch(`${url}/asterisk/${instance}/ari/asterisk/config/dynamic/res_pjsip/${type}/${id}`, {
      method,
      headers: { authorization },
      ...(method === 'PUT' ? { body: JSON.stringify({ fields: list }) } : {}),
    });
  };
  const holds = (instance: string) => call<HeldExtension[]>('GET', `/instances/${instance}/extensions`);
  return {
    url,
    holds,
    numbers: async (instance) => (await holds(instance)).map(({ number }) => number),
    fault: async (fault) => void (await call('PUT', '/faults', { instance: '*', ...fault })),
    requests: (instance) => call('GET', `/requests?instance=${instance}`),
    quiet: () =>
      until(
        () => call<{ calls: number }>('GET', '/struck'),
        ({ calls }) => calls === 0,
      ),
    async put(instance, number, extension) {
      if (vendor !== 'asterisk-ari') {
        return void (await call('PUT', `/instances/${instance}/extensions/${number}`, { number, ...extension }));
      }
      const { name = '', secret = 'by-hand', operation = '' } = extension as Partial<HeldExtension>;
      await asterisk('PUT', [instance, 'auth', number], { auth_type: 'userpass', username: number, password: secret });
      await asterisk('PUT', [instance, 'aor', number], { max_contacts: 1 });
      const marked = { callerid_tag: operation === '' ? '' : `partyline:${operation}` };
      const callerid = `"${name}" <${number}>`;
      await asterisk('PUT', [instance, 'endpoint', number], { allow: '!all,ulaw', callerid, ...marked });
    },
    async remove(instance, number) {
      if (vendor !== 'asterisk-ari') {
        return void (await call('DELETE', `/instances/${instance}/extensions/${number}`));
      }
      for (const type of ['endpoint', 'auth', 'aor']) await asterisk('DELETE', [instance, type, number]);
    },
  };
}

export interface TelephonyStack {
  readonly cluster: Cluster;
  readonly node: TestNode;
  readonly worker: Kernel;
  readonly pbx: PbxSide;
  readonly people: People;
  /** Deadlines of calls to the PBX: the test ends them, instead of waiting for them. */
  readonly deadlines: CallDeadlines;
  /** Runs the work with other times than usual, such as a short deadline for a PBX that hangs. */
  within<T>(times: Partial<ProvisioningSettings>, work: () => Promise<T>): Promise<T>;
  /** Ends the current waits for orders, as if their time had passed. */
  endPatience(): void;
  close(): Promise<void>;
}

export async function openTelephony(
  more: Environment = {},
  vendor: PbxVendor = 'simulated',
  around?: Parameters<typeof startWorkersOf>[3],
): Promise<TelephonyStack> {
  const folder = mkdtempSync(join(tmpdir(), 'pbx-'));
  const server = await startPbx({ host: '127.0.0.1', port: 0, folder });
  const cluster = await openCluster({ RATE_LIMIT: 'off', ...PATIENT, ...more });
  const seeder = await cluster.kernel();
  await seedDemo(seeder, server.url);
  await speak(seeder, server.url, vendor);
  // One settings object for both, so that a test can change the times of both.
  const products = productsOf(cluster.config());
  const node = await cluster.node({}, () => products);
  const workers = await startWorkersOf(cluster, products, ['pbx', 'pbx-bulk'], around);
  const { settings } = telephonyIn(node);
  const usual = { ...settings };
  return {
    cluster,
    node,
    worker: workers.kernel,
    pbx: pbxAt(server.url, vendor),
    people: await openPeople(node),
    deadlines: ownCallDeadlines(telephonyIn(workers).drivers),
    endPatience: ownPatience(telephonyIn(node)),
    async within(times, work) {
      Object.assign(settings, times);
      return work().finally(() => Object.assign(settings, usual));
    },
    async close() {
      await cluster.close();
      const unrecorded = await (await fetch(`${server.url}/unrecorded`)).json();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
      // A test that passes although the real PBX was never seen to answer like this proves nothing.
      expect(unrecorded).toEqual([]);
    },
  };
}
