import { createHmac } from 'node:crypto';
import { isGenuine } from '../../../src/chat/integrations/signatures';
import { SIGNATURE_SCHEMES, type SignatureScheme } from '../../../src/chat/model/bots/signature-schemes';

const SECRET = 'It is a secret to everybody';
const NOW = new Date('2026-11-16T12:00:00Z');
const seconds = NOW.getTime() / 1000;
/** Not UTF-8: decoding it to text would change the bytes. */
const BODY = Buffer.from('7b2261223a22fffe227d', 'hex');

const sha256 = (signed: Buffer, secret = SECRET) => createHmac('sha256', secret).update(signed).digest('hex');
const after = (text: string, body: Buffer) => Buffer.concat([Buffer.from(text), body]);

/** The headers as the documentation of each service describes them. */
const headersOf: Readonly<
  Record<SignatureScheme, (body: Buffer, secret?: string, at?: number) => Record<string, string>>
> = {
  github: (body, secret) => ({ 'X-Hub-Signature-256': `sha256=${sha256(body, secret)}` }),
  gitlab: (_, secret = SECRET) => ({ 'X-Gitlab-Token': secret }),
  stripe: (body, secret, at = seconds) => ({
    'Stripe-Signature': `t=${at},v0=${'0'.repeat(64)},v1=${sha256(after(`${at}.`, body), secret)}`,
  }),
  slack: (body, secret, at = seconds) => ({
    'X-Slack-Request-Timestamp': String(at),
    'X-Slack-Signature': `v0=${sha256(after(`v0:${at}:`, body), secret)}`,
  }),
  sentry: (body, secret) => ({ 'Sentry-Hook-Signature': sha256(body, secret) }),
  pagerduty: (body, secret) => ({ 'X-PagerDuty-Signature': `v1=${sha256(body, secret)}` }),
  hmac: (body, secret) => ({ 'X-Hub-Signature': `sha256=${sha256(body, secret)}` }),
};

const isTaken = (scheme: string, headers: Readonly<Record<string, string>>, body = BODY) =>
  isGenuine(scheme, SECRET, { bytes: body, now: NOW, header: (name) => headers[name] ?? '' });

describe.each(SIGNATURE_SCHEMES)('Signatures of %s', (scheme) => {
  const sign = headersOf[scheme];

  test('A signed delivery is genuine over its raw bytes, even if they are not valid UTF-8', () => {
    expect(isTaken(scheme, sign(BODY))).toBe(true);
  });

  test('A delivery with another secret, another header or no signature is refused', () => {
    expect(isTaken(scheme, sign(BODY, 'another secret'))).toBe(false);
    expect(isTaken(scheme, {})).toBe(false);
    for (const [name, value] of Object.entries(sign(BODY))) {
      for (const other of ['', 'x', value.slice(0, -1), `${value}0`]) {
        expect(isTaken(scheme, { ...sign(BODY), [name]: other })).toBe(false);
      }
    }
  });
});

test.each(SIGNATURE_SCHEMES.filter((scheme) => scheme !== 'gitlab'))(
  'The signature of %s covers the body',
  (scheme) => {
    expect(isTaken(scheme, headersOf[scheme](BODY), Buffer.from('{}'))).toBe(false);
    expect(isTaken(scheme, headersOf[scheme](Buffer.alloc(0)), Buffer.alloc(0))).toBe(true);
  },
);

test.each(['stripe', 'slack'] as const)(
  'A delivery of %s that was signed too long ago, or ahead of time, is refused',
  (scheme) => {
    const at = (away: number) => isTaken(scheme, headersOf[scheme](BODY, SECRET, seconds + away));
    expect([at(-300), at(300), at(-301), at(301), at(-86_400)]).toEqual([true, true, false, false, false]);
  },
);

test.each(['stripe', 'pagerduty'] as const)(
  'One of two signatures is enough while a secret of %s is replaced',
  (scheme) => {
    const [[name, value] = ['', '']] = Object.entries(headersOf[scheme](BODY));
    const old = `v1=${sha256(BODY, 'old secret')}`;
    expect(isTaken(scheme, { [name]: `${value},${old}` })).toBe(true);
    expect(isTaken(scheme, { [name]: value.replace('v1=', `${old},v1=`) })).toBe(true);
    expect(isTaken(scheme, { [name]: old })).toBe(false);
  },
);

test('An unknown signature scheme accepts no delivery', () => {
  for (const scheme of ['', 'newer', 'constructor', '__proto__']) {
    expect(isTaken(scheme, headersOf.github(BODY))).toBe(false);
  }
});
