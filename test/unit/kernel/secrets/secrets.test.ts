import { openSecrets } from '../../../../src/kernel/secrets/secrets';
import { newId, newSecret } from '../../../../src/kernel/id';

const secrets = openSecrets('a'.repeat(40));
const others = openSecrets('b'.repeat(40));

test('An API key is found by its hash, which differs from server to server', () => {
  expect(secrets.lookup('key')).toBe(secrets.lookup('key'));
  expect(secrets.lookup('key')).toMatch(/^[0-9a-f]{64}$/);
  expect(secrets.lookup('key')).not.toBe(others.lookup('key'));
  expect(secrets.lookup('key')).not.toContain('key');
});

test('A token depends only on its purpose, its nonce and the secret of the server', () => {
  const token = secrets.token('invitation', 'abc');
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(secrets.token('invitation', 'abc')).toBe(token);
  const different = [
    secrets.token('password', 'abc'),
    secrets.token('invitation', 'abd'),
    others.token('invitation', 'abc'),
  ];
  expect(new Set([token, secrets.lookup('invitation:abc'), ...different]).size).toBe(5);
});

test('An encrypted text can be decrypted only with the same secret and only if it is intact', () => {
  const sealed = secrets.encrypt('grüße');
  expect(secrets.decrypt(sealed)).toBe('grüße');
  expect(secrets.encrypt('grüße')).not.toBe(sealed);
  expect(() => others.decrypt(sealed)).toThrow();
  const tampered = Buffer.from(sealed, 'base64');
  tampered[tampered.length - 1]! ^= 1;
  expect(() => secrets.decrypt(tampered.toString('base64'))).toThrow();
});

test('New secrets are letters and digits of the requested length', () => {
  const made = Array.from({ length: 200 }, () => newSecret(32));
  for (const secret of made) expect(secret).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(new Set(made).size).toBe(200);
  expect(new Set(made.join('')).size).toBe(62);
});

test('New ids sort by time', () => {
  expect(newId()).toMatch(/^[0-9a-f]{24}$/);
  expect(newId().slice(0, 8) <= newId().slice(0, 8)).toBe(true);
});
