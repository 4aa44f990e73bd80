import { generateKeyPairSync } from 'node:crypto';
import { mistakesIn } from '../support/config-mistakes';

const SECRET = 'a-secret-of-more-than-thirty-two-characters';

test('Mail must be configured completely or not at all', () => {
  const smtp = { SMTP_URL: 'smtp://mail.example.com' };
  const from = { MAIL_FROM: 'Chat <chat@example.com>' };
  const production = { NODE_ENV: 'production', SECRET_KEY: SECRET };
  for (const half of [smtp, from, { ...production, ...smtp, PUBLIC_URL: 'https://chat.example.com' }]) {
    expect(mistakesIn(half)).toEqual(['SMTP_URL and MAIL_FROM must be set together']);
  }
  expect(mistakesIn({ ...production, ...smtp, ...from })).toEqual([
    'PUBLIC_URL must be set where mail is sent: links in mail lead there',
  ]);
  expect(mistakesIn({ ...smtp, MAIL_FROM: 'Chat chat@example.com' })).toEqual([
    'MAIL_FROM must be an address of mail, such as Chat <chat@example.com>, not "Chat chat@example.com"',
    'SMTP_URL and MAIL_FROM must be set together',
  ]);
  expect(mistakesIn({ SMTP_URL: 'https://mail.example.com', ...from })[0]).toBe(
    'SMTP_URL must be an address that begins with smtp://',
  );
  expect(mistakesIn({ ...production, ...smtp, ...from, PUBLIC_URL: 'https://chat.example.com' })).toEqual([]);
});

test('Mail is signed with a domain, a selector and a private key, or not at all', () => {
  const mail = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'Chat <chat@example.com>' };
  const dkim = 'MAIL_DKIM_DOMAIN, MAIL_DKIM_SELECTOR and MAIL_DKIM_KEY must be set together';
  expect(mistakesIn({ ...mail, MAIL_DKIM_DOMAIN: 'example.com', MAIL_DKIM_SELECTOR: 'a' })).toEqual([dkim]);
  const { privateKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const names = { MAIL_DKIM_DOMAIN: 'example.com', MAIL_DKIM_SELECTOR: 'a' };
  for (const key of [privateKey, privateKey.replaceAll('\n', '\\n')]) {
    expect(mistakesIn({ ...mail, ...names, MAIL_DKIM_KEY: key })).toEqual([]);
  }
  const [wrong] = mistakesIn({ ...mail, ...names, MAIL_DKIM_KEY: 'not a key' });
  expect(wrong).toBe('MAIL_DKIM_KEY must be a private key that begins with -----BEGIN PRIVATE KEY-----');
});
