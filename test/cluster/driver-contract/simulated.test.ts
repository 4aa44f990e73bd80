import { INSTANCE_ONE } from '../../api/telephony/people';
import { openSimulator } from './backend';
import { testDriver } from './contract';

describe('The driver of the simulated PBX', () => {
  testDriver(() => openSimulator({ backend: 'simulated', details: {} }));
});

describe('The driver of a FreePBX, by the exchanges that were recorded from one', () => {
  const credentials = 'partyline:freepbx-client-secret';
  testDriver(() => openSimulator({ backend: 'freepbx', details: {}, credentials }, `/freepbx/${INSTANCE_ONE}`));
});
