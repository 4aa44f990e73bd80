import { openCluster } from '../../../support/kernel/cluster';
import { startKamailio } from '../kamailio-process';
import { driverFor } from './backend';
import { testDriver } from './contract';

describe('The driver of a real Kamailio', () => {
  testDriver(async () => {
    const kamailio = await startKamailio();
    const cluster = await openCluster();
    const kernel = await cluster.kernel();
    const address = new URL(kamailio.databaseUrl);
    const credentials = `${decodeURIComponent(address.username)}:${decodeURIComponent(address.password)}`;
    [address.username, address.password] = ['', ''];
    const details = { external_domain: 'contract.example', rpc: kamailio.rpc };
    return {
      kernel,
      backend: 'kamailio' as const,
      address: address.href,
      at: driverFor(kernel, { backend: 'kamailio', details, credentials }),
      async close() {
        await cluster.close();
        await kamailio.stop();
      },
    };
  });
});
