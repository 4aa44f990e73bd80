/** A session: what a browser has after somebody signed in. Its token is in a cookie that no script can read. */
import type { Secrets } from '../../kernel/secrets';

declare const session: unique symbol;
export type SessionId = number & { readonly [session]: true };

export interface Session {
  readonly id: SessionId;
  readonly agent: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

/** Who a new session is for, as far as the request tells. */
export interface Browser {
  readonly agent: string;
  readonly address: string;
}

export const TOKEN_LENGTH = 43;
const TOKEN = /^[A-Za-z0-9]{43}$/;
export const isTokenShaped = (text: string): boolean => TOKEN.test(text);

/** More end the oldest. */
export const MOST_SESSIONS = 50;
export const LONGEST_AGENT = 200;
/** Of IPv6 without the name of an interface. */
export const LONGEST_ADDRESS = 45;
/** The time of the last use is written at most this often. */
export const NOTE_USE_MS = 300_000;
const DAY_SECONDS = 86_400;

export const secondsOf = (days: number): number => days * DAY_SECONDS;

/** What the page sends beside the cookie with every request: another site can make a browser send cookies, not this. */
export const pageTokenOf = (secrets: Secrets, token: string): string => secrets.lookup(`page token of ${token}`);

const NAME = 'partyline_session';
/** A browser takes a cookie of this prefix only over TLS, for this host alone. */
const cookieName = (isSecure: boolean): string => (isSecure ? `__Host-${NAME}` : NAME);

export function sessionCookie(token: string, isSecure: boolean, seconds: number): string {
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return `${cookieName(isSecure)}=${token}; ${attributes}`;
}

/** Makes the browser drop the cookie. */
export const endedCookie = (isSecure: boolean): string => sessionCookie('', isSecure, 0);

/** The token in a Cookie header; undefined where there is none, or none that could be right. */
export function readSessionCookie(header: string, isSecure: boolean): string | undefined {
  if (!header.includes(NAME)) return undefined;
  const start = `${cookieName(isSecure)}=`;
  const found = header
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start));
  const token = found?.slice(start.length) ?? '';
  return isTokenShaped(token) ? token : undefined;
}

/** Whether a Cookie header has a session of either name, right or wrong. */
export const hasSessionCookie = (header: string): boolean => header.includes(`${NAME}=`);
