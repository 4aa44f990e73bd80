/** What a request of a page in a browser must show: the cookie of its session, the session's token, and its own origin. */
import type { IncomingMessage } from 'node:http';
import { ensure } from '../fault';
import type { Incoming } from '../http/incoming';
import { otherOrigin, pageTokenRequired, sessionEnded } from '../page-faults';
import { pageTokenOf, type SessionCookie } from '../page-session';
import type { Secrets } from '../secrets';
import { isSame } from '../signatures';

const PAGE_TOKEN = 'x-partyline-token';

export const sessionTokenOf = (cookie: SessionCookie, incoming: Incoming): string | undefined =>
  cookie.read(incoming.header('cookie'), incoming.isSecure);

/** Browsers that say where a request comes from are believed; Sec-Fetch-Site is sent over TLS and on localhost alone. */
export function checkOrigin(incoming: Incoming, mayNavigate = false): void {
  const site = incoming.header('sec-fetch-site');
  const isNavigation = mayNavigate && incoming.header('sec-fetch-mode') === 'navigate';
  ensure(site === '' || site === 'same-origin' || site === 'none' || isNavigation, otherOrigin());
  const origin = incoming.header('origin');
  ensure(origin === '' || isAt(origin, incoming.host), otherOrigin());
}

/** Both are written out as addresses, so that a usual port may be left out. `null` is the origin of a sandbox. */
function isAt(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: named } = new URL(origin);
  const own = `${protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === named;
}

export interface SessionRules {
  readonly cookie: SessionCookie;
  readonly secrets: Secrets;
  /** True: the request is for a file, which needs the cookie alone. */
  readonly isFile: boolean;
}

/**
 * The token of the session that a request acts in; undefined for requests of other clients. A picture or a file needs the
 * cookie alone: an element of a page cannot send a header, and a link to a file may stand in a mail.
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

/** Its cookie may be gone by now; then its token or the browser's own headers tell it from other clients. */
export const isFromPage =
  (cookie: SessionCookie) =>
  ({ headers }: IncomingMessage): boolean =>
    headers[PAGE_TOKEN] !== undefined ||
    cookie.isIn(headers.cookie ?? '') ||
    headers['sec-fetch-site'] === 'same-origin';
