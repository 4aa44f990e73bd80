/** Portal routes for signing in: sessions, mailed links and the password. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { addressGroup } from '../../../kernel/admission/address-group';
import type { Storage } from '../../../kernel/kernel';
import type { Keyspace } from '../../../kernel/redis/connections';
import { emailKey } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import type { Incoming } from '../../../kernel/http/incoming';
import { Outgoing } from '../../../kernel/http/outgoing';
import { integer } from '../../../kernel/http/params';
import { openAttemptLimits, openPasswordLimits } from '../../../kernel/web-pages/login-limits';
import { openRoutes, routesFor } from '../../../kernel/http/route';
import { badCredentials, otherOrigin, sessionEnded } from '../../../kernel/sessions/page-faults';
import { secondsOf, type Browser } from '../../../kernel/sessions/page-session';
import { checkOrigin, sessionTokenOf } from '../../../kernel/web-pages/page-requests';
import { signInByLink } from '../../commands/portal/entry-links';
import { mailInvitation, requestEntryLinks } from '../../commands/portal/mail-entry-links';
import { setPassword } from '../../commands/portal/set-password';
import { endSession, signIn, signInByKey, signInForDevelopment, type SignedIn } from '../../commands/portal/sign-in';
import { doneAnswer, portalSession, portalSessions, signInAnswer } from '../../model/answers/portal';
import type { CompanyId } from '../../model/companies/company';
import type { Caller } from '../../model/contacts/contact';
import { noContact, notOwner, existing } from '../../model/faults';
import * as field from '../../model/fields';
import { PORTAL_COOKIE } from '../../model/portal/portal';
import * as faults from '../../model/portal/portal-faults';
import { telephonyWords } from '../../model/texts/telephony-words';
import type { PortalSettings } from '../../settings';
import type { Telephony } from '../../parts';
import { describeSession, describeSignIn } from '../../queries/portal/describe-session';
import { findSession, findSessionCaller } from '../../queries/portal/find-session-caller';
import { listSessions } from '../../queries/portal/lists';
import { done } from './wire-format';

type Parts = Storage &
  Keyspace &
  Pick<Telephony, 'jobs' | 'keys' | 'log' | 'mailer' | 'passwords' | 'pause' | 'settings'>;

const { get, post, put, del } = routesFor<Caller>();

/** The same key for every spelling of an email address. */
const accountKey = (email: string): string => hash('sha256', emailKey(email));

const languageOf = (incoming: Incoming): string => telephonyWords(incoming.header('accept-language')).language;

const word = z.string().max(300).optional();
const shownShape = {
  email: word,
  password: z.string().max(1000).optional(),
  company_id: field.id().optional(),
  key: word,
  link: word,
  demo: field.id().optional(),
} as const;
const shown = z.object(shownShape);
type Shown = z.output<typeof shown>;

export function sessionRoutes(telephony: Parts, settings: PortalSettings) {
  const seconds = secondsOf(settings.sessionDays);
  const days = settings.sessionDays;
  const logins = openPasswordLimits(telephony, 'portal-login', settings.loginLimit, 'partyline_portal_device');
  const letters = openAttemptLimits(telephony, 'portal-mail', settings.passwordResetLimit);

  /** Renews the cookie, so that a session in use does not expire. */
  async function signedIn(by: Caller, token: string, incoming: Incoming): Promise<Outgoing> {
    const { openedBy } = existing(await findSession(telephony, { token, from: incoming.ip, days }), sessionEnded);
    const value = await describeSession(telephony, by, { token, openedBy });
    const device = logins.remember(incoming, accountKey(value.email), by.contactId);
    const cookies = [PORTAL_COOKIE.give(token, incoming.isSecure, seconds), device];
    return new Outgoing(value, { headers: { 'Set-Cookie': cookies } });
  }

  async function open(given: Shown, incoming: Incoming): Promise<SignedIn> {
    const { demo, link, key } = given;
    if ((demo ?? link ?? key) === undefined) return openByPassword(given, incoming);
    await logins.address.count(addressGroup(incoming.ip));
    const browser = browserOf(incoming);
    if (demo !== undefined) return signInForDevelopment(telephony, demo, browser);
    if (link !== undefined) return { token: await signInByLink(telephony, link, browser) };
    return signInByKey(telephony, key!.trim(), browser);
  }

  async function openByPassword({ email, password, company_id }: Shown, incoming: Incoming): Promise<SignedIn> {
    ensure(email !== undefined && password !== undefined, faults.nothingShown());
    const contactIds = await logins.countPassword(incoming, accountKey(email));
    const companyId = company_id as CompanyId | undefined;
    return signIn(telephony, { email, password, companyId, contactIds }, browserOf(incoming));
  }

  return [
    openRoutes.get('/session', {
      summary: 'Get the user signed in to the portal with this browser, or the ways to sign in',
      answer: portalSession,
      refuses: [otherOrigin()],
      async run({ incoming }) {
        const hasCookie = PORTAL_COOKIE.isIn(incoming.header('cookie'));
        if (hasCookie) checkOrigin(incoming);
        const token = sessionTokenOf(PORTAL_COOKIE, incoming);
        const by = token && (await findSessionCaller(telephony, { token, from: incoming.ip, days }));
        if (token && by) return signedIn(by, token, incoming);
        const headers: Record<string, string> = hasCookie ? { 'Set-Cookie': PORTAL_COOKIE.end(incoming.isSecure) } : {};
        return new Outgoing(await describeSignIn(telephony), { headers });
      },
    }),
    openRoutes.post('/session', {
      summary: 'Sign in to the portal: with email and password, an emailed link, or an API key as the owner',
      answer: signInAnswer,
      refuses: [
        badCredentials(),
        faults.wrongKey(),
        faults.keyMayNotEnter(),
        faults.linkUsed(),
        faults.nothingShown(),
        faults.notADevelopmentServer(),
        otherOrigin(),
      ],
      params: shownShape,
      async run({ params, incoming }) {
        checkOrigin(incoming);
        const opened = await open(params, incoming);
        if ('companies' in opened) return { signed_in: false, companies: opened.companies };
        const { token } = opened;
        // The session may have been ended at this very moment by another request.
        const by = existing(await findSessionCaller(telephony, { token, from: incoming.ip, days }), sessionEnded);
        return signedIn(by, token, incoming);
      },
    }),
    openRoutes.post('/entry-links', {
      summary: 'Request a sign-in link to the portal by email',
      answer: doneAnswer,
      refuses: [faults.mailIsOff(), otherOrigin()],
      params: { email: z.string().min(1).max(300) },
      async run({ params: { email }, incoming }) {
        checkOrigin(incoming);
        await letters.address.count(addressGroup(incoming.ip));
        await letters.account.count(accountKey(email));
        return done(requestEntryLinks(telephony, email.trim(), languageOf(incoming)));
      },
    }),
    del('/session', {
      summary: 'Sign out of the portal',
      answer: doneAnswer,
      async run({ by, incoming }) {
        const token = tokenOf(incoming);
        const found = existing(await findSession(telephony, { token, from: incoming.ip, days }), sessionEnded);
        const ended = await done(endSession(telephony.transaction, by, found.id));
        return new Outgoing(ended, { headers: { 'Set-Cookie': PORTAL_COOKIE.end(incoming.isSecure) } });
      },
    }),
    get('/sessions', {
      summary: 'List your sessions in the portal',
      answer: portalSessions,
      run: ({ by, incoming }) => listSessions(telephony, by, tokenOf(incoming)),
    }),
    del('/sessions/:session_id', {
      summary: 'End one of your sessions in the portal',
      answer: doneAnswer,
      refuses: [faults.noSuchSession()],
      params: { session_id: integer },
      run: ({ by, params }) => done(endSession(telephony.transaction, by, params.session_id)),
    }),
    put('/password', {
      summary: 'Set your password for the portal',
      answer: doneAnswer,
      refuses: [faults.notByKey(), faults.wrongOldPassword(), faults.passwordTooWeak(), faults.passwordTooLong(1000)],
      params: { old_password: z.string().max(1000).default(''), new_password: z.string().max(2000) },
      async run({ by, params, incoming }) {
        await logins.account.count(by.contactId);
        const { old_password: oldPassword, new_password: newPassword } = params;
        return done(setPassword(telephony, by, { session: tokenOf(incoming), oldPassword, newPassword }));
      },
    }),
    post('/contacts/:contact_id/letters', {
      summary: 'Email a user a sign-in link to the portal; owner only',
      answer: doneAnswer,
      refuses: [notOwner(), noContact(), faults.mailIsOff()],
      async run({ by, params, incoming }) {
        await letters.account.count(params.contact_id);
        return done(mailInvitation(telephony, by, params.contact_id, languageOf(incoming)));
      },
    }),
  ];
}

const browserOf = (incoming: Incoming): Browser => ({ agent: incoming.header('user-agent'), address: incoming.ip });

/** The session token of an authenticated request. */
function tokenOf(incoming: Incoming): string {
  return existing(sessionTokenOf(PORTAL_COOKIE, incoming), sessionEnded);
}
