import { findTotpStep, newTotpSecret, totpCode, totpStep } from '../../../../src/kernel/passwords/totp';

/** "12345678901234567890", the secret of RFC 6238, appendix B. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('The TOTP code at second %i equals the example of the RFC', (second, code) => {
  expect(totpCode(SECRET, totpStep(second * 1000))).toBe(code);
});

test('A TOTP code is valid in its own half minute and the two next to it, and in no other', () => {
  const now = 1_234_567_890_000;
  const step = totpStep(now);
  for (const around of [-1, 0, 1])
    expect(findTotpStep(SECRET, totpCode(SECRET, step + around), now)).toBe(step + around);
  for (const around of [-2, 2]) expect(findTotpStep(SECRET, totpCode(SECRET, step + around), now)).toBeUndefined();
  for (const code of ['', '5924', '0059240', 'abcdef', '００５９２４'])
    expect(findTotpStep(SECRET, code, now)).toBeUndefined();
});

test('A new secret has 160 random bits in the encoding that authenticator apps read', () => {
  const secrets = new Set(Array.from({ length: 50 }, newTotpSecret));
  expect(secrets.size).toBe(50);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
});
