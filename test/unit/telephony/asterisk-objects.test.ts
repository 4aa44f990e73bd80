import { allowOf, isCodecList, shownCodecs } from '../../../src/telephony/actors/pbx-instance/asterisk-codecs';
import {
  fieldsOf,
  merged,
  objectsOf,
  operationIn,
  shownOf,
} from '../../../src/telephony/actors/pbx-instance/asterisk-objects';
import { dataFor } from '../../../src/telephony/model/extensions/extension-draft';
import { changed } from '../../../simulators/pbx/asterisk/objects';

const extensionOf = (data: object) => {
  const body = { data: { name: 'Ann', ...data } };
  return { number: 3102, ...dataFor(body, 3102), secret: 'f00', operation: '3f0c2f1e' };
};

describe('Codecs for Asterisk', () => {
  test.each([
    ['', '', '!all,ulaw,alaw', '(ulaw|alaw)'],
    ['g722', '', '!all,g722', '(g722)'],
    // In FreePBX's format.
    ['ulaw&g722', 'all', '!all,ulaw,g722', '(ulaw|g722)'],
    ['ULAW, alaw:20', '', '!all,ulaw,alaw:20', '(ulaw|alaw)'],
    ['ulaw,alaw', 'alaw', '!all,ulaw', '(ulaw)'],
    ['!all,ulaw,alaw,!ulaw', '', '!all,alaw', '(alaw)'],
    // An endpoint without codecs could never be read or deleted again.
    ['ulaw', 'ulaw', '!all,ulaw,alaw', '(ulaw|alaw)'],
    ['!all', '', '!all,ulaw,alaw', '(ulaw|alaw)'],
    [' ', 'all', '!all,ulaw,alaw', '(ulaw|alaw)'],
    ['all', 'g722', '!all,all,!g722', undefined],
  ])('The codecs allow "%s" and disallow "%s" are sent as %s', (allow, disallow, sent, shown) => {
    expect(allowOf(allow, disallow, 'ulaw,alaw')).toBe(sent);
    expect(shownCodecs(sent)).toBe(shown);
  });

  test('A list of codecs is words separated by commas', () => {
    expect(['ulaw', 'ulaw,alaw,g722', 'slin16'].every(isCodecList)).toBe(true);
    expect(['', '!all', 'ulaw,', 'ulaw&alaw', 'a b', ','].some(isCodecList)).toBe(false);
  });
});

describe('Extensions for Asterisk', () => {
  test.each([
    {},
    { allow: 'g722,opus', sendrpid: 'both', dtmfmode: 'rfc2833', timers: 'forced', max_contacts: '03' },
    { namedcallgroup: '10,9,2', namedpickupgroup: 'b, a', accountcode: 'yes', context: 'no', media_encryption: 'sdes' },
    { name: '日'.repeat(60), voicemail: 'default', device_state_busy_at: '05', icesupport: 'yes', transport: 'udp' },
    { media_encryption: 'dtls', icesupport: 'yes', avpf: 'yes', rtcp_mux: 'yes', media_use_received_transport: 'yes' },
    { voicemail: 'default', mwi_subscription: 'solicited' },
    { voicemail: 'default', mwi_subscription: 'unsolicited' },
    { name: 'Say "hi" \\ <bye>', trustrpid: 'no', bundle: 'yes', force_rport: 'no', mohclass: '' },
  ])('An extension is read back from Asterisk as expected, attribute by attribute: %j', (data) => {
    const extension = extensionOf(data);
    const objects = objectsOf(extension, { codecs: 'ulaw,alaw' }).map(([type, attributes]) =>
      changed(undefined, type, Object.entries(attributes)),
    );
    const held = merged(objects);
    const { number, ...shown } = shownOf(extension, { codecs: 'ulaw,alaw' });
    expect(number).toBe(3102);
    expect(held).toMatchObject(shown);
    expect(operationIn(held)).toBe('3f0c2f1e');
    // Everything that is written is read back, except the operation's id.
    const written = objectsOf(extension, { codecs: 'ulaw,alaw' }).flatMap(([, attributes]) => Object.keys(attributes));
    expect(Object.keys(shown)).toHaveLength(written.length - 1);
  });

  test('An extension is sent as strings alone, whatever its data hold, because Asterisk crashes on others', () => {
    const odd = Object.fromEntries(
      ['name', 'context', 'allow', 'max_contacts', 'qualifyfreq', 'transport', 'mailbox', 'secret'].map(
        (field, index) => [field, [7, true, null, undefined, {}, [], Number.NaN, 0n][index]],
      ),
    );
    const bodies = objectsOf({ number: 3102, ...odd }, { codecs: 'ulaw,alaw' }).map(([, attributes]) =>
      fieldsOf(attributes),
    );
    for (const { value } of bodies.flatMap(({ fields }) => fields)) expect(typeof value).toBe('string');
    expect(() => fieldsOf({ max_contacts: 2 as unknown as string })).toThrow('max_contacts is not a string');
  });

  test.each([
    ['auto', '3102@device', '3102@device', 'yes'],
    ['solicited', '3102@device', '', 'no'],
    ['unsolicited', '', '3102@device', 'no'],
  ])('An extension announces waiting messages as mwi_subscription %s says', (way, subscribed, unasked, isReplaced) => {
    const extension = extensionOf({ voicemail: 'default', mwi_subscription: way });
    const [, [, aor], [, endpoint]] = objectsOf(extension, { codecs: 'ulaw' }) as [
      unknown,
      [string, object],
      [string, object],
    ];
    expect(aor).toMatchObject({ mailboxes: subscribed });
    expect(endpoint).toMatchObject({ mailboxes: unasked, mwi_subscribe_replaces_unsolicited: isReplaced });
  });

  test('An extension has a certificate for browsers if it uses DTLS, and none otherwise', () => {
    const endpointFor = (media: string) =>
      objectsOf(extensionOf({ media_encryption: media }), { codecs: 'ulaw' })[2]?.[1];
    const dtls = { dtls_auto_generate_cert: 'yes', dtls_verify: 'fingerprint', dtls_setup: 'actpass' };
    expect(endpointFor('dtls')).toMatchObject(dtls);
    expect(endpointFor('sdes')).toMatchObject({ dtls_auto_generate_cert: 'no', dtls_verify: 'no' });
  });

  test('An extension whose tag somebody else wrote has no operation of ours', () => {
    expect(operationIn({ callerid_tag: '3f0c2f1e' })).toBeUndefined();
    expect(operationIn({})).toBeUndefined();
  });
});
