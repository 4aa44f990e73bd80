import { startAsterisk } from '../../../scripts/lib/asterisk';
import { hasPrograms } from '../../../scripts/lib/test-programs';
import { INSTANCE_ONE } from '../../api/telephony/people';
import { openCluster } from '../../support/cluster';
import { ownDirectory } from '../../support/services';
import { driverFor, openSimulator, type TriedBackend } from './backend';
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

const openRecorded = () =>
  openSimulator(
    { backend: 'asterisk-ari', details: {}, credentials: 'partyline:ari-password' },
    `/asterisk/${INSTANCE_ONE}`,
  );

const isReal = hasPrograms(['asterisk']);
describe(isReal ? 'The driver of a real Asterisk' : 'The driver of an Asterisk, by recorded exchanges', () => {
  testDriver(isReal ? openAsterisk : openRecorded);
});
