import fc from 'fast-check';
import { MASK, maskSecrets, maskText } from '../../../../src/kernel/secrets/mask';
import { isSecretName } from '../../../../src/kernel/secrets/secret-names';

describe('Fields that hold credentials', () => {
  test.each([
    'password',
    'PASSWORD',
    'user_password',
    'db-password',
    'passwd',
    'pwd',
    'passphrase',
    'secret',
    'client_secret',
    'clientSecret',
    'secretKey',
    'token',
    'access_token',
    'refreshToken',
    'id_token',
    'verification-token',
    'authorization',
    'Authorization',
    'proxy-authorization',
    'auth',
    'cookie',
    'Set-Cookie',
    'session',
    'jwt',
    'api_key',
    'apiKey',
    'apikey',
    'X-Api-Key',
    'APIKEY',
    'private_key',
    'privateKey',
    'aws_access_key_id',
    'signing_key',
    'x-hub-signature-256',
    'signature',
    'hmac',
    'credentials',
    'voicemail_vmpwd',
    'pin',
    'otp',
    'dsn',
    'webhook_url',
    'response_url',
  ])('The field %s is masked', (name) => {
    expect(isSecretName(name)).toBe(true);
    expect(maskSecrets({ deep: [{ [name]: 'canary-4711' }] })).toEqual({ deep: [{ [name]: MASK }] });
    expect(maskSecrets({ [name]: { inside: 'canary-4711' } })).toEqual({ [name]: MASK });
  });

  test.each([
    'author',
    'passed',
    'tokenizer',
    'keyboard',
    'pinned',
    'secretary',
    'monkey',
    'signed',
    'authored',
    'dsname',
  ])('The field %s is not masked', (name) => expect(maskSecrets({ [name]: 'plain' })).toEqual({ [name]: 'plain' }));

  test('A field named key is masked if its value is long enough to be one', () => {
    const key = 'A9f2Kq81LmZx0Wv3Pd5R';
    expect(maskSecrets({ issue: { key: 'PROJ-17' }, key })).toEqual({ issue: { key: 'PROJ-17' }, key: MASK });
  });

  test('An empty or boolean value is shown even if its field is named like a secret', () => {
    const value = { token: null, secret: '', password: false };
    expect(maskSecrets(value)).toEqual(value);
  });
});

describe('Credentials in text', () => {
  test.each([
    ['Authorization: Bearer canary4711canary', 'canary'],
    ['the header was Basic Y2FuYXJ5OmNhbmFyeQ==', 'Y2FuYXJ5'],
    ['GET /x?api_key=canary4711&stream=test', 'canary'],
    ['https://example.com/hook?token=canary4711', 'canary'],
    ['mysql://root:canary4711@db:3306/x', 'canary'],
    ['redis://:canary4711@cache', 'canary'],
    ['password = "canary4711"', 'canary'],
    ['{"client_secret":"canary4711"}', 'canary'],
    ['ghp_canary4711canary4711canary4711', 'canary'],
    ['glpat-canary4711canary', 'canary'],
    ['xoxb-4711-canary-canary', 'canary'],
    ['sk_live_canary4711canary', 'canary'],
    ['AKIAIOSFODNN7CANARY4', 'CANARY'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnY2FuYXJ5', 'eyJzdWIi'],
    ['https://hooks.slack.com/services/T0/B0/canary4711', 'canary'],
    ['-----BEGIN RSA PRIVATE KEY-----\ncanary\n-----END RSA PRIVATE KEY-----', 'canary'],
  ])('The credential in the text "%s" is masked', (text, canary) => {
    expect(maskText(text)).not.toContain(canary);
    expect(maskText(text)).toContain(MASK);
  });

  test('Text without a credential stays readable', () => {
    const text = "Stream 'deploys' does not exist; see https://example.com/a?b=c and commit 3f2a1b, status: failed";
    expect(maskText(text)).toBe(text);
  });
});

test('Any value can be masked, and masking it again changes nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const once = maskSecrets(value);
      expect(maskSecrets(once)).toEqual(once);
    }),
  );
});

test('A value of any depth can be masked', () => {
  let value: unknown = 'bottom';
  for (let depth = 0; depth < 100_000; depth++) value = { value };
  expect(JSON.stringify(maskSecrets(value))).toContain(MASK);
});
