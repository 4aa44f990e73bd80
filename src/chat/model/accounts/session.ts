/** A browser session: the browser and address that a user signed in from. */
import { pageTokenCookie, pageTokenOf, sessionCookie } from '../../../kernel/sessions/page-session';
import type { Secrets } from '../../../kernel/secrets/secrets';
import { coded } from '../faults';

declare const session: unique symbol;
export type SessionId = number & { readonly [session]: true };

export interface Session {
  readonly id: SessionId;
  readonly agent: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

export const CHAT_COOKIE = sessionCookie('partyline_session');
/** What web/chat/page-token.ts reads. */
const PAGE_TOKEN_COOKIE = 'partyline_token';

interface CookieTerms {
  readonly isSecure: boolean;
  readonly seconds: number;
}

/** The Set-Cookie values of a session that begins, or is in use. */
export const sessionCookies = (secrets: Secrets, token: string, { isSecure, seconds }: CookieTerms): string[] => [
  CHAT_COOKIE.give(token, isSecure, seconds),
  pageTokenCookie(PAGE_TOKEN_COOKIE, pageTokenOf(secrets, token), isSecure, seconds),
];

/** The Set-Cookie values that make the browser drop these cookies. */
export const endedCookies = (isSecure: boolean): string[] => [
  CHAT_COOKIE.end(isSecure),
  pageTokenCookie(PAGE_TOKEN_COOKIE, '', isSecure, 0),
];

export const noSuchSession = () => coded('invalid', 'NO_SUCH_SESSION', 'There is no such session');
