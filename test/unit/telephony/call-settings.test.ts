import {
  callerOf,
  destinationOf,
  membersOf,
  numberOf,
  optionsOf,
} from '../../../src/telephony/model/extensions/call-forms';
import { callSettings, mailboxText, settingsText } from '../../../src/telephony/model/extensions/call-settings';
import { dataFor } from '../../../src/telephony/model/extensions/extension-draft';

const fields = (data: object = {}) => ({ number: 101, ...dataFor({ data: { name: 'Ann', ...data } }, 101) });

describe('Forms', () => {
  test.each([
    ['', ''],
    ['ext-local,vmu101,1', 'partyline-vm,u101,1'],
    ['ext-local,vmb101,1', 'partyline-vm,b101,1'],
    ['from-did-direct,102,1', 'partyline-ext,102,1'],
    ['ext-local,102,1', 'partyline-ext,102,1'],
    ['ext-local,101,dest', ''],
    ['ext-group,600,1', 'partyline-group,600,1'],
    ['app-blackhole,hangup,1', 'partyline-end,s,1'],
    ['app-announcement-1,s,1', undefined],
    ['ext-local,vmx101,1', undefined],
    ['partyline-ext,102,1', undefined],
    ['ext-group,600,1)&System(x', undefined],
  ])('The destination %j becomes %j', (value, expected) => {
    expect(destinationOf(value)).toBe(expected);
  });

  test.each([
    ['+1 (555) 123-0100', '+15551230100'],
    ['', ''],
    ['555x', undefined],
    ['1&PJSIP/102', undefined],
    ['${EXTEN}', undefined],
  ])('The number %j becomes %j', (value, expected) => {
    expect(numberOf(value)).toBe(expected);
  });

  test.each([
    ['"Acme, Ltd" <15551230100>', { num: '15551230100', name: 'Acme, Ltd' }],
    ['15551230100', { num: '15551230100', name: '' }],
    ['', { num: '', name: '' }],
    ['Acme', undefined],
    ['"Acme" <>', undefined],
  ])('The caller id %j becomes %j', (value, expected) => {
    expect(callerOf(value)).toEqual(expected);
  });

  test.each([
    ['101-103-2317094162#', ['101', '103', '2317094162']],
    ['', []],
    ['101&PJSIP/102', undefined],
    ['101@trunk', undefined],
  ])('The list %j becomes %j', (value, expected) => {
    expect(membersOf(value)).toEqual(expected);
  });

  test.each([
    ['attach=no|saycid=yes', 'attach=no|saycid=yes'],
    ['maxsecs=60|', 'maxsecs=60'],
    ['', ''],
    ['externpass=/bin/sh', undefined],
    ['attach=maybe', undefined],
    ['callback=from-internal', undefined],
    ['toString=yes', undefined],
  ])('The options %j become %j', (value, expected) => {
    expect(optionsOf(value)).toBe(expected);
  });
});

describe('Settings of calls', () => {
  test('An extension of defaults says only that it takes intercom calls', () => {
    expect(callSettings(fields())).toEqual({ v: 1, intercom: 1 });
  });

  test('Follow-me rings its list, and ends at its own destination', () => {
    const own = {
      findmefollow_enabled: 'yes',
      findmefollow_grplist: '103-5551234567#',
      findmefollow_strategy: 'hunt',
      findmefollow_needsconf: true,
      findmefollow_changecid: 'fixed',
      findmefollow_fixedcid: '15551230100',
      findmefollow_postdest: 'ext-group,600,1',
      noanswer_dest: 'ext-local,vmu101,1',
    };
    expect(callSettings(fields(own))).toMatchObject({
      fm: {
        on: 1,
        list: 'Local/103@partyline-leg/n&Local/5551234567@partyline-leg/n',
        strategy: 'hunt',
        time: 20,
        pre: 7,
        confirm: 1,
        cid: '15551230100',
      },
      noanswer: { dest: 'partyline-group,600,1' },
    });
    const off = callSettings(fields({ ...own, findmefollow_enabled: '' }));
    expect(off).toMatchObject({ noanswer: { dest: 'partyline-vm,u101,1' } });
    expect(off).not.toHaveProperty('fm');
  });

  test.each([
    ['force', 0, 100],
    ['yes', 10, 11],
    ['yes', 20, 21],
    ['no', 10, -11],
    ['never', 20, -100],
    ['dontcare', 20, undefined],
  ])('Recording %s with the priority %s weighs %s', (recording_in_internal, recording_priority, weight) => {
    const { rec } = callSettings(fields({ recording_in_internal, recording_priority }));
    expect(rec).toEqual(weight === undefined ? undefined : { inint: weight });
  });

  test('A stored value of another form is left out', () => {
    const stored = { ...fields(), busy_dest: 'app-ivr,1,1', outboundcid: 'Acme', findmefollow_fixedcid: 'x' };
    expect(callSettings(stored)).toEqual({ v: 1, intercom: 1 });
  });

  test('The text of settings does not depend on the order of names', () => {
    expect(settingsText({ b: 1, a: { d: [2, 1], c: '' } })).toBe(settingsText({ a: { c: '', d: [2, 1] }, b: 1 }));
  });

  test('A mailbox is one line, in which commas separate fields alone', () => {
    const on = { voicemail: 'default', name: 'Ann, the first', voicemail_email: 'a@example.com, b@example.com' };
    expect(mailboxText(fields({ ...on, voicemail_options: 'attach=yes' }))).toBe(
      'Ann the first,a@example.com|b@example.com,,attach=yes',
    );
    expect(mailboxText(fields())).toBeUndefined();
  });
});
