import { openVendor } from './backend';
import { testDriver } from './contract';

describe('The driver of a FreePBX, by the exchanges that were recorded from one', () => {
  testDriver(() => openVendor('freepbx'));
});
