/** Wire formats that authenticate portal pages by their session cookie. With a session, every telephony route works. */
import type { Fault } from '../../../kernel/fault';
import type { WireFormat } from '../../../kernel/http/wire-format';
import type { Incoming } from '../../../kernel/http/incoming';
import type { RouteFacts } from '../../../kernel/http/route';
import type { Kernel, Storage } from '../../../kernel/kernel';
import { otherOrigin, pageTokenRequired, sessionEnded } from '../../../kernel/sessions/page-faults';
import { isFromPage, readPageSession } from '../../../kernel/web-pages/page-requests';
import { existing } from '../../model/faults';
import type { Caller } from '../../model/contacts/contact';
import { PORTAL_COOKIE } from '../../model/portal/portal';
import { keyMayNot } from '../../model/portal/portal-faults';
import type { Telephony } from '../../parts';
import { findCaller } from '../../queries/companies/find-caller';
import { findSessionCaller } from '../../queries/portal/find-session-caller';
import { shownIn, telephonyWireFormat } from '../wire-format';
import { busy, refusalsOf } from '../refusals';

type Parts = Storage & Pick<Kernel, 'keys' | 'log'>;

const PAGE_REFUSALS: readonly Fault[] = [sessionEnded(), pageTokenRequired(), otherOrigin()];

/** Returns undefined without a session cookie; throws if the session has ended. */
async function callerOfPage(kernel: Parts, incoming: Incoming, days: number): Promise<Caller | undefined> {
  const rules = { cookie: PORTAL_COOKIE, secrets: kernel.secrets, isFile: false };
  const token = readPageSession(incoming, rules);
  if (token === undefined) return undefined;
  return existing(await findSessionCaller(kernel, { token, from: incoming.ip, days }), sessionEnded);
}

/** An API key takes precedence over a session, because it says which company is meant. */
export function wireFormatWithSessions({
  keyCallers,
  settings: { sessionDays },
}: Pick<Telephony, 'keyCallers' | 'settings'>): WireFormat<Caller> {
  return {
    ...telephonyWireFormat,
    isFromPage: isFromPage(PORTAL_COOKIE),
    refusalsOf: (route: RouteFacts) =>
      route.authenticated ? [...refusalsOf(route), ...PAGE_REFUSALS, keyMayNot('read')] : refusalsOf(route),
    async authenticate(kernel, incoming, route) {
      const isKeyShown = incoming.header('authorization') !== '';
      const found = isKeyShown ? undefined : await callerOfPage(kernel, incoming, sessionDays);
      return found ?? findCaller(kernel, shownIn(incoming), route, keyCallers);
    },
  };
}

/** Portal-only routes accept only sessions, so that no API key can create keys or act as a person. */
export function portalWireFormat({ settings: { sessionDays } }: Pick<Telephony, 'settings'>): WireFormat<Caller> {
  return {
    ...telephonyWireFormat,
    headers: { ...telephonyWireFormat.headers, Vary: 'Cookie, X-Partyline-Token' },
    isFromPage: () => true,
    bodyTypes: ['application/json'],
    security: {
      name: 'portalSession',
      schemes: { portalSession: { type: 'apiKey', in: 'cookie', name: 'partyline_portal' } },
    },
    refusalsOf: ({ authenticated, refuses }: RouteFacts) => [
      ...(authenticated ? PAGE_REFUSALS : []),
      ...refuses,
      busy(),
    ],
    async authenticate(kernel, incoming) {
      return existing(await callerOfPage(kernel, incoming, sessionDays), sessionEnded);
    },
  };
}

/** The answer of a route that only does something. */
export async function done(work: Promise<unknown>): Promise<{ readonly done: true }> {
  await work;
  return { done: true };
}
