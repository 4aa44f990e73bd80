/** What a browser has after somebody signed in: a token in a cookie that no script can read. Each product has its own. */
import type { Secrets } from './secrets';

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
const LONGEST_AGENT = 200;
/** Of IPv6 without the name of an interface. */
const LONGEST_ADDRESS = 45;
/** The time of the last use is written at most this often. */
export const NOTE_USE_MS = 300_000;
const DAY_SECONDS = 86_400;

export const secondsOf = (days: number): number => days * DAY_SECONDS;

/** As much of it as is stored. */
export const boundedBrowser = ({ agent, address }: Browser): Browser => ({
  agent: agent.slice(0, LONGEST_AGENT),
  address: address.slice(0, LONGEST_ADDRESS),
});

/** What the page sends beside the cookie with every request: another site can make a browser send cookies, not this. */
export const pageTokenOf = (secrets: Secrets, token: string): string => secrets.lookup(`page token of ${token}`);

export interface SessionCookie {
  /** The value of Set-Cookie that gives the browser a token for so long. */
  give(token: string, isSecure: boolean, seconds: number): string;
  /** The value of Set-Cookie that makes the browser drop the cookie. */
  end(isSecure: boolean): string;
  /** The token in a Cookie header; undefined where there is none, or none that could be right. */
  read(header: string, isSecure: boolean): string | undefined;
  /** Whether a Cookie header has a session, right or wrong, over TLS or not. */
  isIn(header: string): boolean;
}

export function sessionCookie(name: string): SessionCookie {
  /** A browser takes a cookie of this prefix only over TLS, for this host alone. */
  const nameOf = (isSecure: boolean): string => (isSecure ? `__Host-${name}` : name);
  const give = (token: string, isSecure: boolean, seconds: number): string => {
    const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
    return `${nameOf(isSecure)}=${token}; ${attributes}`;
  };
  return {
    give,
    end: (isSecure) => give('', isSecure, 0),
    read(header, isSecure) {
      if (!header.includes(name)) return undefined;
      const start = `${nameOf(isSecure)}=`;
      const found = header
        .split(';')
        .map((pair) => pair.trim())
        .find((pair) => pair.startsWith(start));
      const token = found?.slice(start.length) ?? '';
      return isTokenShaped(token) ? token : undefined;
    },
    isIn: (header) => header.includes(`${name}=`),
  };
}
