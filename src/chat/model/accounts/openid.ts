/** OpenID Connect sign-in: which providers an organisation trusts, and for whom. */
import { coded } from '../faults';
import type { RealmId } from '../organisation/realm';
import type { OneTimePad } from './mobile-sign-in';

export interface StoredProvider {
  readonly name: string;
  readonly displayName: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Email domains whose users may sign in; empty for all. */
  readonly domains: readonly string[];
  /** Whether a first sign-in creates an account. */
  readonly createsAccounts: boolean;
}

export const MAX_PROVIDERS = 10;
export const MAX_DOMAINS = 50;

export const isProviderName = (text: string): boolean => /^[a-z][a-z0-9-]{0,29}$/.test(text);
export const isDomain = (text: string): boolean => text.length <= 189 && /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(text);

/** Only a development server trusts an issuer without TLS, and only on the same machine. */
export function isIssuer(text: string, isForDevelopment: boolean): boolean {
  if (!/^[!-~]{1,255}$/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isLocal = isForDevelopment && protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname);
  return (protocol === 'https:' || isLocal) && username + password + search + hash === '';
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** The sealed state that the browser keeps while it is at the provider. */
export interface PendingOpenId {
  readonly realmId: RealmId;
  readonly provider: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Set if an app waits for the key: nobody but the app and this server may know it. */
  readonly pad?: OneTimePad;
  /** In milliseconds since 1970. */
  readonly until: number;
}

export const PENDING_MS = 600_000;
const NAME = 'partyline_openid';
const cookieName = (isSecure: boolean): string => (isSecure ? `__Host-${NAME}` : NAME);

export const pendingCookie = (sealed: string, isSecure: boolean): string =>
  `${cookieName(isSecure)}=${sealed}; Path=/; Max-Age=${PENDING_MS / 1000}; HttpOnly; SameSite=Lax` +
  (isSecure ? '; Secure' : '');

/** It has served. */
export const endedCookie = (isSecure: boolean): string =>
  `${cookieName(isSecure)}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

export function readPendingCookie(header: string, isSecure: boolean): string | undefined {
  const start = `${cookieName(isSecure)}=`;
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}

const refused = (code: string, message: string) => coded('forbidden', code, message);

export const noSuchProvider = () => coded('missing', 'NO_SUCH_PROVIDER', 'There is no such sign-in method');
export const lateOpenId = () => refused('OPENID_LATE', 'The sign-in took too long, or began in another browser');
export const emailNotVerified = () =>
  refused('EMAIL_NOT_VERIFIED', 'The other server has not verified your email address');
export const domainNotAllowed = () => refused('DOMAIN_NOT_ALLOWED', 'Your email address is of another domain');
export const noAccount = () => refused('NO_ACCOUNT', 'There is no account for your email address');
export const accountDisabled = () => refused('ACCOUNT_DEACTIVATED', 'Your account has been deactivated');
export const badProvider = (message: string) => coded('invalid', 'BAD_PROVIDER', message);
