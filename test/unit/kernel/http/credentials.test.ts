import { addressGroup } from '../../../../src/kernel/admission/address-group';
import { decodeBasic } from '../../../../src/kernel/secrets/basic-credentials';
import { emailKey, isPlainlySpelled, isSameEmail } from '../../../../src/kernel/secrets/email-key';

describe('Basic credentials', () => {
  test('Basic credentials are decoded from the canonical Base64 encoding', () => {
    expect(decodeBasic(Buffer.from('a@x:kéy').toString('base64'))).toBe('a@x:kéy');
  });

  test.each(['YTpi=', 'YTpi\n', 'YTpi!', '*YTpi', 'YTo', 'YT pi', 'YTpi'.repeat(1000)])(
    'Basic credentials in another encoding, or too long ones, are refused: %#',
    (encoded) => {
      expect(decodeBasic(encoded)).toBeUndefined();
    },
  );

  test('Basic credentials with unused bits set at the end are refused', () => {
    expect(decodeBasic('YTo=')).toBe('a:');
    expect(decodeBasic('YTp=')).toBeUndefined();
  });
});

describe('Email addresses', () => {
  test.each([' user@x.test ', 'USER@X.TEST', 'User@x.Test'])(
    'An email address in another case belongs to the same person: %j',
    (spelling) => {
      expect(emailKey(spelling)).toBe('user@x.test');
      expect(isSameEmail(spelling, 'user@x.test')).toBe(true);
    },
  );

  const disguised = [
    'ｕｓｅｒ@x.test',
    'ⓤser@x.test',
    'user@ｘ.test',
    'us\u200ber@x.test',
    'us\u00ader@x.test',
    '\u202euser@x.test',
    'u\u017fer@x.test',
    'user\0@x.test',
    'user@x。test',
    'us\u2800er@x.test',
    'us\ufffder@x.test',
    '\ufeffuser@x.test',
  ];
  test.each(disguised)('An email address that only looks like another belongs to nobody else: %j', (spelling) => {
    expect(emailKey(spelling)).toBe('user@x.test');
    expect(isSameEmail(spelling, 'user@x.test')).toBe(false);
    expect(isPlainlySpelled(spelling)).toBe(false);
    expect(isSameEmail(spelling, spelling.replace('test', 'TEST'))).toBe(true);
  });

  test('Capital letters outside ASCII tell two email addresses apart, and both are spelled plainly', () => {
    expect(isSameEmail('JÜRGEN@x.test', 'jürgen@x.test')).toBe(false);
    expect(isSameEmail('Jürgen@X.test', 'jürgen@x.test')).toBe(true);
    // The kelvin sign, whose lower-case form is an ordinary k.
    expect(isSameEmail('\u212aim@x.test', 'kim@x.test')).toBe(false);
    for (const email of ['jürgen@x.test', 'JÜRGEN@x.test', '用户@例子.test', 'δοκιμή@x.test']) {
      expect(isPlainlySpelled(email)).toBe(true);
    }
  });

  test('Email addresses with and without an accent belong to two people', () => {
    expect(isSameEmail('máil@x.test', 'mail@x.test')).toBe(false);
    expect(isSameEmail('üser@x.test', 'user@x.test')).toBe(false);
    expect(emailKey('ma\u0301il@x.test')).toBe(emailKey('máil@x.test'));
  });

  test('The key of an email address is its own key, whatever characters it holds', () => {
    const wrong: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const key = emailKey(`a${String.fromCodePoint(code)}b@x`);
      if (emailKey(key) !== key || !isPlainlySpelled(key)) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
  ['2001:0db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('Requests from %s are counted as those of %s', (ip, group) => {
  expect(addressGroup(ip)).toBe(group);
});
