import { objectsOf } from '../../../src/telephony/actors/pbx-instance/asterisk-objects';
import type { Held } from '../../../src/telephony/actors/pbx-instance/driver';
import {
  extensionInput,
  mailboxInput,
  needsOwnMailbox,
  userInput,
} from '../../../src/telephony/actors/pbx-instance/freepbx-fields';
import { subscriberOf } from '../../../src/telephony/actors/pbx-instance/kamailio';
import { BACKEND_FIELDS, lossInCalls, warningsFor } from '../../../src/telephony/model/extensions/backend-fields';
import { dataFor } from '../../../src/telephony/model/extensions/extension-draft';
import { CREDENTIAL_FIELDS, FIELDS } from '../../../src/telephony/model/extensions/extension-fields';
import { BACKENDS } from '../../../src/telephony/model/sites/site';
import { withOthers } from '../../support/other-values';

const NAMES = [...Object.keys(FIELDS), ...CREDENTIAL_FIELDS];
const context = { key: 'key', deadlineMs: 1000 };
const plain = (data: object = {}) => dataFor({ data: { name: 'Ann', ...data } }, 101);
const whole: Held = {
  number: 101,
  ...plain({ voicemail: 'default', voicemail_options: 'attach=yes|saycid=no|envelope=no|delete=no' }),
  secret: 'secret-0',
  password: '',
  voicemail_vmpwd: '4711',
};

/** All that each kind of PBX is sent. */
const SENT: Record<(typeof BACKENDS)[number], (extension: Held) => unknown> = {
  simulated: (extension) => extension,
  kamailio: (extension) => subscriberOf(extension, 'sip.example.com'),
  freepbx: (extension) => [
    { ...extensionInput(extension, context), extPassword: extension['secret'] },
    userInput(extension),
    needsOwnMailbox(extension) ? mailboxInput(extension) : {},
  ],
  'asterisk-ari': (extension) => objectsOf(extension, 'ulaw,alaw'),
};

test.each(BACKENDS)('The backend %s is sent exactly the fields that it is said to support', (backend) => {
  const sent = (extension: Held) => JSON.stringify(SENT[backend](extension));
  const isSent = (name: string): boolean => sent(withOthers(whole, [name])) !== sent(whole);
  expect(NAMES.filter(isSent).toSorted()).toEqual(BACKEND_FIELDS[backend].toSorted());
});

describe('Warnings', () => {
  test('A field that was never set causes no warning, whatever the PBX supports', () => {
    for (const backend of BACKENDS) expect(warningsFor(backend, { number: 101, data: plain() })).toEqual([]);
  });

  test.each(BACKENDS)('Every field that %s does not support causes a warning once it is set', (backend) => {
    const set = withOthers({ number: 101, ...plain() }, Object.keys(FIELDS)) as Held & Parameters<typeof dataFor>[2];
    const named = warningsFor(backend, { number: 101, data: set }).map((words) => /^data\.(\w+): /.exec(words)?.[1]);
    // The first two say what others say; the name is ours alone to show where a PBX has none.
    const alone = new Set(['voicemail_enable', 'callerid', 'name']);
    const lost = Object.keys(FIELDS).filter((name) => !BACKEND_FIELDS[backend].includes(name) && !alone.has(name));
    expect(new Set(named)).toEqual(new Set(lost));
  });

  test.each(['kamailio', 'freepbx'] as const)('Codecs and transport that %s would lose are refused', (backend) => {
    for (const name of ['allow', 'disallow', 'transport']) {
      expect(lossInCalls(backend, { [name]: 'x' })).toContain(`data.${name}: `);
      // What is stored already, or says nothing, loses nothing.
      expect(lossInCalls(backend, { [name]: 'x' }, { ...plain(), [name]: 'x' })).toBeUndefined();
      expect(lossInCalls(backend, { [name]: '' })).toBeUndefined();
      expect(lossInCalls('asterisk-ari', { [name]: 'x' })).toBeUndefined();
    }
  });

  test('Every kind of PBX keeps the secret, without which there is no extension', () => {
    for (const backend of BACKENDS) expect(BACKEND_FIELDS[backend]).toContain('secret');
  });
});
