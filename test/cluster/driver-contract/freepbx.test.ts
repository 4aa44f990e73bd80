import {
  extensionInput,
  mailboxInput,
  needsOwnMailbox,
  userInput,
} from '../../../src/telephony/actors/pbx-instance/freepbx-fields';
import { openVendor } from './backend';
import { testDriver } from './contract';
import { testSentFields } from './sent-fields';

testSentFields('freepbx', (extension) => [
  { ...extensionInput(extension, { key: 'key', deadlineMs: 1000 }), extPassword: extension['secret'] },
  userInput(extension),
  needsOwnMailbox(extension) ? mailboxInput(extension) : {},
]);

describe('The driver of a FreePBX, by the exchanges that were recorded from one', () => {
  testDriver(() => openVendor('freepbx'));
});
