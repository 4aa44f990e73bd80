import { tlsOf } from '../../../../src/kernel/mysql/tls';

const at = (rest: string) => () => tlsOf(new URL(`mysql://app:hush@${rest}`));

test('An address without options is not encrypted', () => {
  expect(at('db/partyline')()).toBeUndefined();
});

test('The mode ssl=required trusts any certificate, and ssl=verify checks it against the authorities of Node', () => {
  expect(at('10.0.0.1/partyline?ssl=required')()).toEqual({ rejectUnauthorized: false, verifyIdentity: false });
  expect(at('db/partyline?ssl=verify')()).toEqual({ rejectUnauthorized: true, verifyIdentity: true });
});

test('The files of an address are read at once', () => {
  const own = { ca: __filename, cert: __filename, key: __filename };
  const read = at(`10.0.0.1/partyline?ssl=verify-ca&${new URLSearchParams(own).toString()}`)();
  const text = expect.stringContaining('The files of an address');
  expect(read).toEqual({ rejectUnauthorized: true, verifyIdentity: false, ca: text, cert: text, key: text });
});

test.each([
  ['an unknown option', 'db/partyline?sslmode=require', '"sslmode" is not an option (there are ssl, ca, cert, key)'],
  ['an unknown mode', 'db/partyline?ssl=true', 'ssl must be one of required, verify-ca, verify, not "true"'],
  ['an authority without encryption', 'db/partyline?ca=/a', 'ca, cert and key need ssl=verify or ssl=required'],
  [
    'an authority that nobody asks',
    'db/p?ssl=required&ca=/a',
    'ssl=required checks no certificate: ca needs ssl=verify',
  ],
  ['no authority', 'db/partyline?ssl=verify-ca', 'ssl=verify-ca needs ca=<path of a PEM file>'],
  ['half a client certificate', 'db/partyline?ssl=required&key=/k', 'cert and key must be given together'],
  ['a file that is not there', 'db/p?ssl=verify&ca=/none', 'the file of ca cannot be read: ENOENT'],
  ['an IPv4 address', '10.0.0.1/p?ssl=verify', 'ssl=verify needs a host name in place of the address'],
  ['an IPv6 address', '[::1]:3306/p?ssl=verify', 'ssl=verify needs a host name in place of the address'],
])('An address with %s is refused, and the error does not contain its password', (_, address, sentence) => {
  expect(at(address)).toThrow(`The address of MySQL is wrong: ${sentence}`);
  expect(at(address)).not.toThrow('hush');
});
