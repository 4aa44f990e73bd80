import { openVendor } from './backend';
import { testDriver } from './contract';

describe('The driver of a FreePBX, tested with recorded exchanges', () => {
  testDriver(() => openVendor('freepbx'));
});
