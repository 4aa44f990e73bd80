/** Verifies delivery signatures: each service signs the body's bytes with a secret that it shares with a bot. */
import { hmac, isLately, isSame, isSameOfItsLength } from '../../kernel/secrets/signatures';
import type { SignatureScheme } from '../model/bots/signature-schemes';
import { lookUp } from './payload';

/** The parts of a delivery that signatures use. */
export interface SignedDelivery {
  readonly bytes: Buffer;
  readonly now: Date;
  readonly header: (name: string) => string;
}

type Check = (secret: string, delivery: SignedDelivery) => boolean;

const sha256 = (secret: string, bytes: Buffer, before = ''): string =>
  hmac('sha256', secret, before === '' ? bytes : Buffer.concat([Buffer.from(before), bytes]), 'hex');

/** A header with one signature, after a prefix that names the algorithm. */
const inHeader =
  (name: string, prefix = ''): Check =>
  (secret, { header, bytes }) =>
    isSameOfItsLength(header(name), `${prefix}${sha256(secret, bytes)}`);

/** The values of `key=` in a list. While a secret is replaced, a service signs with both. */
const valuesOf = (list: string, key: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${key}=`))
    .map((part) => part.slice(key.length + 1));

const isAmong = (signatures: readonly string[], expected: string): boolean =>
  signatures.some((signature) => isSameOfItsLength(signature, expected));

const pagerduty: Check = (secret, { header, bytes }) =>
  isAmong(valuesOf(header('X-PagerDuty-Signature'), 'v1'), sha256(secret, bytes));

const stripe: Check = (secret, { header, bytes, now }) => {
  const list = header('Stripe-Signature');
  const [at = ''] = valuesOf(list, 't');
  return isLately(at, now) && isAmong(valuesOf(list, 'v1'), sha256(secret, bytes, `${at}.`));
};

const slack: Check = (secret, { header, bytes, now }) => {
  const at = header('X-Slack-Request-Timestamp');
  return (
    isLately(at, now) && isSameOfItsLength(header('X-Slack-Signature'), `v0=${sha256(secret, bytes, `v0:${at}:`)}`)
  );
};

/** GitLab sends the secret itself. */
const gitlab: Check = (secret, { header }) => isSame(header('X-Gitlab-Token'), secret);

/** `hmac` is what Bitbucket, Jira and many others send, and what a proxy can add. */
const schemes: Readonly<Record<SignatureScheme, Check>> = {
  github: inHeader('X-Hub-Signature-256', 'sha256='),
  gitlab,
  stripe,
  slack,
  sentry: inHeader('Sentry-Hook-Signature'),
  pagerduty,
  hmac: inHeader('X-Hub-Signature', 'sha256='),
};

/** Returns false for a scheme that only a newer release knows. */
export const isGenuine = (scheme: string, secret: string, delivery: SignedDelivery): boolean =>
  lookUp<Check>(schemes, scheme)?.(secret, delivery) ?? false;
