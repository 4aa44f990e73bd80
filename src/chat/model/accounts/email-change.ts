/** The change of a user's address: a link that only the owner of the new address gets, sealed, without a row. */
import { ensure } from '../../../kernel/fault';
import type { Secrets } from '../../../kernel/secrets/secrets';
import type { UserId } from '../users/user';
import { invalidLink } from './invitation';

export interface EmailChange {
  readonly userId: UserId;
  /** The address that the account has until then: the link works once. */
  readonly from: string;
  readonly to: string;
  /** Of the password: a new one ends the link, as it ends sessions. */
  readonly stamp: string;
  /** In milliseconds. */
  readonly until: number;
}

const PURPOSE = 'email-change';
const MAX_LENGTH = 2000;

export const stampOf = (secrets: Secrets, passwordHash: string | null): string =>
  secrets.lookup(`${PURPOSE} ${passwordHash ?? ''}`);

/** For a link. */
export function sealChange(secrets: Secrets, change: EmailChange): string {
  const sealed = secrets.encrypt(JSON.stringify({ purpose: PURPOSE, ...change }));
  return Buffer.from(sealed, 'base64').toString('base64url');
}

/** Whoever made it up gets the same refusal as whoever comes late. */
export function unsealChange(secrets: Secrets, token: string, now: number): EmailChange {
  ensure(token.length <= MAX_LENGTH && /^[\w-]+$/.test(token), invalidLink());
  let change: EmailChange & { readonly purpose: string };
  try {
    change = JSON.parse(secrets.decrypt(Buffer.from(token, 'base64url').toString('base64'))) as typeof change;
  } catch {
    throw invalidLink();
  }
  ensure(change.purpose === PURPOSE && change.until > now, invalidLink());
  return change;
}
