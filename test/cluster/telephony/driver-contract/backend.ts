/** A backend for the driver contract: the driver that the product opens for an instance, at any address. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPbx } from '../../../../simulators/pbx/server';
import { VENDORS, type VendorName } from '../../../../simulators/pbx/vendors';
import type { Kernel } from '../../../../src/kernel/kernel';
import { newId } from '../../../../src/kernel/id';
import type { PbxDriver } from '../../../../src/telephony/actors/pbx-instance/driver';
import { PbxDrivers } from '../../../../src/telephony/actors/pbx-instance/drivers';
import type { CompanyId } from '../../../../src/telephony/model/companies/company';
import type { Backend } from '../../../../src/telephony/model/sites/backends';
import type { Instance } from '../../../../src/telephony/model/sites/site';
import { INSTANCE_ONE } from '../../../api/telephony/people';
import { openCluster } from '../../../support/kernel/cluster';

export interface TriedDriver {
  readonly uuid: string;
  readonly driver: PbxDriver;
}

export interface TriedBackend {
  readonly kernel: Kernel;
  readonly backend: Backend;
  /** In the form that `instance add --address` takes. */
  readonly address: string;
  /** The driver of this backend for a PBX at the address. */
  at(address: string): TriedDriver;
  close(): Promise<void>;
}

/** Further options of `instance add`. */
export interface Connection extends Pick<Instance, 'backend' | 'details'> {
  readonly credentials?: string;
}

export function driverFor(
  kernel: Kernel,
  { credentials, ...connection }: Connection,
): (address: string) => TriedDriver {
  const drivers = new PbxDrivers(kernel);
  return (address) => {
    const uuid = randomUUID();
    const instance = {
      ...connection,
      uuid,
      address,
      id: newId(),
      companyId: newId() as CompanyId,
      companyName: 'Contract',
      locationId: newId(),
      credentials: credentials === undefined ? null : kernel.secrets.encrypt(credentials),
    };
    return { uuid, driver: drivers.of(instance) };
  };
}

/** The simulated PBX, as itself or in place of a vendor's product, with responses recorded from that product. */
export async function openSimulator(connection: Connection, path = ''): Promise<TriedBackend> {
  const folder = mkdtempSync(join(tmpdir(), 'pbx-'));
  const server = await startPbx({ host: '127.0.0.1', port: 0, folder });
  const cluster = await openCluster();
  const kernel = await cluster.kernel();
  return {
    kernel,
    backend: connection.backend,
    address: `${server.url}${path}`,
    at: driverFor(kernel, connection),
    async close() {
      const unrecorded = await (await fetch(`${server.url}/unrecorded`)).json();
      await cluster.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
      expect(unrecorded).toEqual([]);
    },
  };
}

/** The simulated PBX in place of a vendor's. */
export function openVendor(backend: VendorName): Promise<TriedBackend> {
  const { folder, credentials } = VENDORS[backend];
  return openSimulator({ backend, details: {}, credentials }, `/${folder}/${INSTANCE_ONE}`);
}

export interface BadServer {
  readonly port: number;
  close(): Promise<void>;
}

/** A server that is not a PBX: it hangs up at once, or it accepts connections and never responds. */
export async function startBadServer(manner: 'hangs up' | 'says nothing'): Promise<BadServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    if (manner === 'hangs up') socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
