/** Checks requests of pages in a browser: the session cookie, the session's page token, and the origin. */
import type { IncomingMessage } from 'node:http';
import { ensure } from '../fault';
import type { Incoming } from '../http/incoming';
import { otherOrigin, pageTokenRequired, sessionEnded } from '../sessions/page-faults';
import { pageTokenOf, type SessionCookie } from '../sessions/page-session';
import type { Secrets } from '../secrets/secrets';
import { isSame } from '../secrets/signatures';

const PAGE_TOKEN = 'x-partyline-token';

export const sessionTokenOf = (cookie: SessionCookie, incoming: Incoming): string | undefined =>
  cookie.read(incoming.header('cookie'), incoming.isSecure);

/** Checks the origin that the browser reports. Sec-Fetch-Site is sent only over TLS and on localhost. */
export function checkOrigin(incoming: Incoming, mayNavigate = false): void {
  const site = incoming.header('sec-fetch-site');
  const isNavigation = mayNavigate && incoming.header('sec-fetch-mode') === 'navigate';
  ensure(site === '' || site === 'same-origin' || site === 'none' || isNavigation, otherOrigin());
  const origin = incoming.header('origin');
  ensure(origin === '' || isAt(origin, incoming.host), otherOrigin());
}

/** Compares both as URLs, so that a default port may be missing. `null` is the origin of a sandbox. */
function isAt(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: named } = new URL(origin);
  const own = `${protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === named;
}

export interface SessionRules {
  readonly cookie: SessionCookie;
  readonly secrets: Secrets;
  /** True: the request is for a file, which needs only the cookie. */
  readonly isFile: boolean;
}

/**
 * The token of the request's session; undefined for other clients. An image or file needs only the cookie: an element
 * of a page cannot send a header, and mail may contain a link to a file.
 */
export function readPageSession(incoming: Incoming, { cookie, secrets, isFile }: SessionRules): string | undefined {
  const session = sessionTokenOf(cookie, incoming);
  const given = incoming.header(PAGE_TOKEN);
  if (session === undefined) {
    ensure(given === '' && !cookie.isIn(incoming.header('cookie')), sessionEnded());
    return undefined;
  }
  checkOrigin(incoming, isFile);
  ensure(isFile || isSame(given, pageTokenOf(secrets, session)), pageTokenRequired());
  return session;
}

/** The cookie may be gone by now. Then the page token or the browser's own headers identify a page. */
export const isFromPage =
  (cookie: SessionCookie) =>
  ({ headers }: IncomingMessage): boolean =>
    headers[PAGE_TOKEN] !== undefined ||
    cookie.isIn(headers.cookie ?? '') ||
    headers['sec-fetch-site'] === 'same-origin';
