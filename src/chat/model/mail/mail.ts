/** A mail to be sent: its recipient and subject matter. The text is composed when it is sent. */
import { newId } from '../../../kernel/id';
import type { Secrets } from '../../../kernel/secrets/secrets';
import type { RealmId } from '../organisation/realm';
import type { UserId } from '../users/user';

declare const mail: unique symbol;
export type MailId = number & { readonly [mail]: true };

export type About =
  | { readonly kind: 'invitation'; readonly invitationId: number; readonly isRequested: boolean }
  | { readonly kind: 'password-reset' }
  | { readonly kind: 'email-change'; readonly userId: UserId; readonly from: string }
  | { readonly kind: 'email-changed'; readonly userId: UserId }
  | { readonly kind: 'digest'; readonly userId: UserId }
  | { readonly kind: 'missed-messages'; readonly userId: number; readonly messageIds: readonly number[] };

export interface NewMail {
  readonly realmId: RealmId;
  readonly recipient: string;
  readonly about: About;
}

export interface Mail extends NewMail {
  readonly id: MailId;
  readonly createdAt: Date;
}

type Purpose = 'invitation' | 'password-reset' | 'unsubscribe';

/** The stored form of a token: with SECRET_KEY, enough to send it again and to recognise it. */
export interface StoredToken {
  readonly nonce: string;
  readonly tokenHash: string;
}

export function newToken(secrets: Secrets, purpose: Purpose): StoredToken {
  const nonce = newId();
  return { nonce, tokenHash: secrets.lookup(secrets.token(purpose, nonce)) };
}

const TOKEN = /^[\w-]{43}$/;

/** The lookup hash of a token; undefined if the text is not a token. */
export const hashOfToken = (secrets: Secrets, written: string): string | undefined =>
  TOKEN.test(written) ? secrets.lookup(written) : undefined;
