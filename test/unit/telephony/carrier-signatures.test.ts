import { generateKeyPairSync, sign, createHmac } from 'node:crypto';
import type { CarrierCall } from '../../../src/telephony/carriers/carrier';
import { carrierNamed } from '../../../src/telephony/carriers/carriers';
import { isSameOfItsLength } from '../../../src/kernel/secrets/signatures';
import { isSignedWithEd25519 } from '../../../src/telephony/carriers/telnyx';
import { signatureOf } from '../../../src/telephony/carriers/twilio';
import type { CarrierAccount, CarrierName, Credentials } from '../../../src/telephony/model/texting/carrier-account';

const NOW = new Date('2026-11-15T12:00:00Z');
const seconds = NOW.getTime() / 1000;

const call = (body: string, headers: Record<string, string>, url = 'https://example.com/w'): CarrierCall => ({
  url,
  body,
  header: (name) => headers[name] ?? '',
});
const isGenuine = (carrier: CarrierName, credentials: Credentials, made: CarrierCall): boolean =>
  carrierNamed(carrier).isGenuine({ credentials } as CarrierAccount, made, NOW);

describe('Twilio', () => {
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
  const body = new URLSearchParams({
    To: '+18005551212',
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
  }).toString();
  const headers = {
    'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
    'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
  };

  test("A call with the signature of Twilio's own example is genuine", () => {
    expect(signatureOf('12345', call(body, headers, url))).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=');
    expect(isGenuine('twilio', { auth_token: '12345' }, call(body, headers, url))).toBe(true);
  });

  test.each([
    ['another token', '12346', body, url],
    ['a changed field', '12345', body.replace('1234&', '1235&'), url],
    ['a field more', '12345', `${body}&Extra=1`, url],
    ['another address', '12345', body, url.replace('https', 'http')],
  ])('A Twilio call with %s is refused', (_, token, changed, at) => {
    expect(isGenuine('twilio', { auth_token: token }, call(changed, headers, at))).toBe(false);
  });

  test('A Twilio signature covers a repeated field once for each different value', () => {
    const at = 'https://example.com/w';
    const sign = (text: string) => createHmac('sha1', 'token').update(`${at}${text}`).digest('base64');
    const repeated = (fields: string, signed: string) =>
      isGenuine('twilio', { auth_token: 'token' }, call(fields, { 'x-twilio-signature': sign(signed) }, at));
    expect(repeated('To=b&From=x&To=a&To=b', 'FromxToaTob')).toBe(true);
    expect(repeated('To=b&From=x&To=a&To=b', 'FromxToaTobTob')).toBe(false);
    expect(repeated('A=1&B=1', 'A1B1')).toBe(true);
  });

  test('A Twilio call with JSON is signed by the hash of its body in the address', () => {
    const json = '{"a":1}';
    const hash = '015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862';
    const at = `https://example.com/w?bodySHA256=${hash}`;
    const signature = createHmac('sha1', 'token').update(at).digest('base64');
    const signed = { 'x-twilio-signature': signature, 'content-type': 'application/json' };
    expect(isGenuine('twilio', { auth_token: 'token' }, call(json, signed, at))).toBe(true);
    expect(isGenuine('twilio', { auth_token: 'token' }, call('{"a":2}', signed, at))).toBe(false);
  });
});

describe('Telnyx', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const bare = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64');
  const signed = (body: string, at: number) => ({
    'telnyx-timestamp': String(at),
    'telnyx-signature-ed25519': sign(null, Buffer.from(`${at}|${body}`), privateKey).toString('base64'),
  });
  const body = '{"data":{"text":"ü"}}';

  test('An Ed25519 signature is verified as in test 2 of RFC 8032', () => {
    const key = Buffer.from('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', 'hex').toString(
      'base64',
    );
    const signature = Buffer.from(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
        '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
      'hex',
    ).toString('base64');
    expect(isSignedWithEd25519(key, signature, 'r')).toBe(true);
    expect(isSignedWithEd25519(key, signature, 's')).toBe(false);
  });

  test.each([0, -299, 299])('A Telnyx call signed %d s away is accepted', (away) => {
    expect(isGenuine('telnyx', { public_key: bare }, call(body, signed(body, seconds + away)))).toBe(true);
  });

  test.each([-301, 301])('A Telnyx call signed %d s away is refused as stale', (away) => {
    expect(isGenuine('telnyx', { public_key: bare }, call(body, signed(body, seconds + away)))).toBe(false);
  });

  test('A Telnyx call with another body, time or key, or without a signature, is refused', () => {
    const headers = signed(body, seconds);
    expect(isGenuine('telnyx', { public_key: bare }, call(`${body} `, headers))).toBe(false);
    const moved = { ...headers, 'telnyx-timestamp': String(seconds + 1) };
    expect(isGenuine('telnyx', { public_key: bare }, call(body, moved))).toBe(false);
    expect(isGenuine('telnyx', { public_key: bare }, call(body, { 'telnyx-timestamp': String(seconds) }))).toBe(false);
    expect(isGenuine('telnyx', { public_key: 'AAAA' }, call(body, headers))).toBe(false);
  });
});

describe('Bandwidth', () => {
  const credentials = { callback_username: 'bw', callback_password: 'hush:hush' };
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

  test('A Bandwidth call is genuine only with the right name and password', () => {
    expect(isGenuine('bandwidth', credentials, call('[]', basic('bw:hush:hush')))).toBe(true);
    expect(isGenuine('bandwidth', credentials, call('[]', basic('bw:hush')))).toBe(false);
    expect(isGenuine('bandwidth', credentials, call('[]', {}))).toBe(false);
  });
});

describe('Simulated carrier', () => {
  const body = '{"id":"1"}';
  const signed = (at: number, secret = 'demo-secret-one') => ({
    'x-signature': `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`,
  });
  const credentials = { secret: 'demo-secret-one' };

  test('A call of the simulated carrier is genuine only if it was signed recently with the secret', () => {
    expect(isGenuine('simulated', credentials, call(body, signed(seconds)))).toBe(true);
    expect(isGenuine('simulated', credentials, call(body, signed(seconds - 300)))).toBe(true);
    expect(isGenuine('simulated', credentials, call(body, signed(seconds - 301)))).toBe(false);
    expect(isGenuine('simulated', credentials, call(body, signed(seconds, 'demo-secret-two')))).toBe(false);
    expect(isGenuine('simulated', credentials, call(`${body} `, signed(seconds)))).toBe(false);
    expect(isGenuine('simulated', credentials, call(body, { 'x-signature': 'v1=,t=' }))).toBe(false);
  });
});

test('Texts of equal length in characters but not in bytes compare as different, without an error', () => {
  expect(isSameOfItsLength('ä'.repeat(64), 'a'.repeat(64))).toBe(false);
  expect(isSameOfItsLength('a'.repeat(64), 'a'.repeat(64))).toBe(true);
});
