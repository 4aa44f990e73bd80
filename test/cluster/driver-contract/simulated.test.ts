import { openSimulator } from './backend';
import { testDriver } from './contract';
import { testSentFields } from './sent-fields';

testSentFields('simulated', (extension) => extension);

describe('The driver of the simulated PBX', () => {
  testDriver(() => openSimulator({ backend: 'simulated', details: {} }));
});
