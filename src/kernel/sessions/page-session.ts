/** Browser sessions: a token in a cookie that no script can read. Each product has its own cookie. */
import type { Secrets } from '../secrets/secrets';

/** The browser that a new session is for, as far as the request identifies it. */
export interface Browser {
  readonly agent: string;
  readonly address: string;
}

export const TOKEN_LENGTH = 43;
const TOKEN = /^[A-Za-z0-9]{43}$/;

/** Beyond this, the oldest sessions end. */
export const MAX_SESSIONS = 50;
const MAX_AGENT_LENGTH = 200;
/** An IPv6 address without its zone. */
const MAX_ADDRESS_LENGTH = 45;
/** The time of last use is written at most this often. */
export const NOTE_USE_MS = 300_000;
const DAY_SECONDS = 86_400;

export const secondsOf = (days: number): number => days * DAY_SECONDS;

/** Cut to the lengths that are stored. */
export const boundedBrowser = ({ agent, address }: Browser): Browser => ({
  agent: agent.slice(0, MAX_AGENT_LENGTH),
  address: address.slice(0, MAX_ADDRESS_LENGTH),
});

/** The page sends this token beside the cookie: another site can make a browser send cookies, but not this. */
export const pageTokenOf = (secrets: Secrets, token: string): string => secrets.lookup(`page token of ${token}`);

/** A cookie that no script can read. */
export interface HostCookie {
  /** The Set-Cookie value that gives the browser a token for this many seconds. */
  give(token: string, isSecure: boolean, seconds: number): string;
  /** The Set-Cookie value that makes the browser drop the cookie. */
  end(isSecure: boolean): string;
  /** The token in a Cookie header. Undefined if there is none, or its shape is wrong. */
  read(header: string, isSecure: boolean): string | undefined;
  /** Whether a Cookie header has this cookie, valid or not, over TLS or not. */
  isIn(header: string): boolean;
}
export type SessionCookie = HostCookie;

/** A browser accepts a cookie with the `__Host-` prefix only over TLS, and for this host alone. */
const nameFor = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name);

export const sessionCookie = (name: string): SessionCookie => hostCookie(name, TOKEN);

/** Tokens of another shape than this are not read. */
export function hostCookie(name: string, shape: RegExp): HostCookie {
  const give = (token: string, isSecure: boolean, seconds: number): string => {
    const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
    return `${nameFor(name, isSecure)}=${token}; ${attributes}`;
  };
  return {
    give,
    end: (isSecure) => give('', isSecure, 0),
    read(header, isSecure) {
      if (!header.includes(name)) return undefined;
      const start = `${nameFor(name, isSecure)}=`;
      const found = header
        .split(';')
        .map((pair) => pair.trim())
        .find((pair) => pair.startsWith(start));
      const token = found?.slice(start.length) ?? '';
      return shape.test(token) ? token : undefined;
    },
    isIn: (header) => header.includes(`${name}=`),
  };
}

/**
 * The Set-Cookie value that gives our own page its token, so that a page that opens need not ask for it before its first
 * requests. The server never reads this cookie: only a script of this host can, and sends its value in a header.
 */
export function pageTokenCookie(name: string, pageToken: string, isSecure: boolean, seconds: number): string {
  const attributes = `Path=/; Max-Age=${seconds}; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return `${nameFor(name, isSecure)}=${pageToken}; ${attributes}`;
}
