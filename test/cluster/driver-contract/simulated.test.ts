import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPbx } from '../../../simulators/pbx/server';
import { openCluster } from '../../support/cluster';
import { driverFor } from './backend';
import { testDriver } from './contract';

describe('The driver of the simulated PBX', () => {
  testDriver(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pbx-'));
    const server = await startPbx({ host: '127.0.0.1', port: 0, folder });
    const cluster = await openCluster();
    const kernel = await cluster.kernel();
    return {
      kernel,
      address: server.url,
      at: driverFor(kernel, { backend: 'simulated', details: {} }),
      async close() {
        await cluster.close();
        await server.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });
});
