/** What a request of a page in a browser must show: the cookie of its session, the session's token, and its own origin. */
import type { IncomingMessage } from 'node:http';
import { ensure } from '../../kernel/fault';
import type { Incoming } from '../../kernel/http/incoming';
import { isSame } from '../../kernel/signatures';
import { hasSessionCookie, pageTokenOf, readSessionCookie } from '../model/session';
import { otherOrigin, pageTokenRequired, sessionEnded } from '../model/session-faults';
import type { Chat } from '../parts';

const PAGE_TOKEN = 'x-partyline-token';

export const sessionTokenOf = (incoming: Incoming): string | undefined =>
  readSessionCookie(incoming.header('cookie'), incoming.isSecure);

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

/**
 * The token of the session that a request acts in; undefined for requests of other clients. A picture or a file needs the
 * cookie alone: an element of a page cannot send a header, and a link to a file may stand in a mail.
 */
export function readPageSession(chat: Chat, incoming: Incoming, isFile: boolean): string | undefined {
  const session = sessionTokenOf(incoming);
  const given = incoming.header(PAGE_TOKEN);
  if (session === undefined) {
    ensure(given === '' && !hasSessionCookie(incoming.header('cookie')), sessionEnded());
    return undefined;
  }
  checkOrigin(incoming, isFile);
  ensure(isFile || isSame(given, pageTokenOf(chat.kernel.secrets, session)), pageTokenRequired());
  return session;
}

/** Its cookie may be gone by now; then its token or the browser's own headers tell it from other clients. */
export const isFromPage = ({ headers }: IncomingMessage): boolean =>
  headers[PAGE_TOKEN] !== undefined ||
  hasSessionCookie(headers.cookie ?? '') ||
  headers['sec-fetch-site'] === 'same-origin';
