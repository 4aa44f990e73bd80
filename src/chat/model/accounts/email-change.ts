/** The change of a user's address: a link that only the owner of the new address gets, sealed, without a row. */
import { ensure } from '../../../kernel/fault';
import type { Secrets } from '../../../kernel/secrets/secrets';
import type { UserId } from '../users/user';
import { invalidLink } from './invitation';

export interface EmailChange {
  readonly userId: UserId;
  /** The address that the account has until then. */
  readonly from: string;
  readonly to: string;
  /** Of the password and the changes before: a new password ends the link, as it ends sessions, and so does its use. */
  readonly stamp: string;
  /** In milliseconds. */
  readonly until: number;
}

const PURPOSE = 'email-change';
const MAX_LENGTH = 2000;

interface Stamped {
  readonly passwordHash: string | null;
  readonly emailChanges: number;
}

export const stampOf = (secrets: Secrets, { passwordHash, emailChanges }: Stamped): string =>
  secrets.lookup(`${PURPOSE} ${emailChanges} ${passwordHash ?? ''}`);

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
