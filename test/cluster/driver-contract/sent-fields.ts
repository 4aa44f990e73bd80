/** Compares the fields that a driver sends to its PBX with those that its definition says the PBX stores. */
import type { Held } from '../../../src/telephony/actors/pbx-instance/driver';
import { dataFor } from '../../../src/telephony/model/extensions/extension-draft';
import { CREDENTIAL_FIELDS, FIELDS } from '../../../src/telephony/model/extensions/extension-fields';
import { BACKEND_FIELDS, type Backend } from '../../../src/telephony/model/sites/backends';
import { withOthers } from '../../support/other-values';

const NAMES = [...Object.keys(FIELDS), ...CREDENTIAL_FIELDS];
const VOICEMAIL = { voicemail: 'default', voicemail_options: 'attach=yes|saycid=no|envelope=no|delete=no' };
const whole: Held = {
  number: 101,
  ...dataFor({ data: { name: 'Ann', ...VOICEMAIL } }, 101),
  secret: 'secret-0',
  password: '',
  voicemail_vmpwd: '4711',
};

/** `allSent` returns everything that the PBX is sent for an extension. */
export function testSentFields(backend: Backend, allSent: (extension: Held) => unknown): void {
  test(`The backend ${backend} is sent exactly the fields that it is said to support`, () => {
    const sent = (extension: Held) => JSON.stringify(allSent(extension));
    const isSent = (name: string): boolean => sent(withOthers(whole, [name])) !== sent(whole);
    expect(NAMES.filter(isSent).toSorted()).toEqual(BACKEND_FIELDS[backend].toSorted());
  });
}
