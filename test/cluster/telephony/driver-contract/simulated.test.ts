import { openSimulator } from './backend';
import { testDriver } from './contract';

describe('The driver of the simulated PBX', () => {
  testDriver(() => openSimulator({ backend: 'simulated', details: {} }));
});
