import { startAsterisk } from '../../../support/telephony/asterisk/asterisk';
import { hasPrograms } from '../../../../scripts/lib/test/test-programs';
import { openCluster } from '../../../support/kernel/cluster';
import { ownDirectory } from '../../../support/servers/services';
import { driverFor, openVendor, type TriedBackend } from './backend';
import { testDriver } from './contract';

async function openAsterisk(): Promise<TriedBackend> {
  const folder = ownDirectory();
  const asterisk = await startAsterisk({ dir: folder.path });
  const cluster = await openCluster();
  const kernel = await cluster.kernel();
  const credentials = `partyline:${asterisk.password}`;
  return {
    kernel,
    backend: 'asterisk-ari',
    address: asterisk.url,
    at: driverFor(kernel, { backend: 'asterisk-ari', details: {}, credentials }),
    async close() {
      await cluster.close();
      await asterisk.stop();
      folder.remove();
    },
  };
}

const isReal = hasPrograms(['asterisk']);
describe(isReal ? 'The driver of a real Asterisk' : 'The driver of an Asterisk, by recorded exchanges', () => {
  testDriver(isReal ? openAsterisk : () => openVendor('asterisk-ari'));
});
