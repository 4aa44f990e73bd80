import {
  extensionInput,
  mailboxInput,
  needsOwnMailbox,
  userInput,
} from '../../../src/telephony/actors/pbx-instance/freepbx-fields';
import type { Held } from '../../../src/telephony/actors/pbx-instance/driver';
import { BACKEND_FIELDS } from '../../../src/telephony/model/backend-fields';
import { dataFor } from '../../../src/telephony/model/extension-draft';
import { FIELDS } from '../../../src/telephony/model/extension-fields';

const context = { key: 'key', deadlineMs: 1000 };
const data = { name: 'Ann', voicemail: 'default', voicemail_options: 'attach=yes|saycid=no|envelope=no|delete=no' };
const whole: Held = { number: 101, ...dataFor({ data }, 101), voicemail_vmpwd: '4711' };

/** All that FreePBX is told, apart from the secret. */
const told = (extension: Held): string =>
  JSON.stringify([
    extensionInput(extension, context),
    userInput(extension),
    needsOwnMailbox(extension) ? mailboxInput(extension) : {},
  ]);

function another(name: string): unknown {
  const { values, type } = FIELDS[name] ?? { type: 'text' };
  if (values) return values.find((value) => value.toLowerCase() !== String(whole[name]).toLowerCase() && value !== '');
  if (name === 'voicemail_options') return 'attach=no|saycid=yes';
  if (type === 'integer') return 7;
  return type === 'boolean' ? !whole[name] : '77';
}

const isTold = (name: string): boolean => told({ ...whole, [name]: another(name) }) !== told(whole);

test('FreePBX is told exactly those fields that the backend declares, and the secret.', () => {
  const names = [...Object.keys(FIELDS), 'voicemail_vmpwd'];
  const declared = BACKEND_FIELDS.freepbx.filter((name) => name !== 'secret');
  expect(names.filter(isTold).toSorted()).toEqual(declared.toSorted());
});
