/** Browser sessions: signing in, listing and ending them. */
import { addressGroup } from '../../../kernel/admission/address-group';
import type { Storage } from '../../../kernel/kernel';
import { MAX_EMAIL_LENGTH } from '../../../kernel/secrets/email-key';
import { ensure, Fault } from '../../../kernel/fault';
import type { WireFormat } from '../../../kernel/http/wire-format';
import type { Incoming } from '../../../kernel/http/incoming';
import { Outgoing } from '../../../kernel/http/outgoing';
import { integer, text } from '../../../kernel/http/params';
import { openRoutes, routesFor } from '../../../kernel/http/route';
import { badCredentials, otherOrigin, sessionEnded } from '../../../kernel/sessions/page-faults';
import { secondsOf } from '../../../kernel/sessions/page-session';
import type { Mount } from '../../../kernel/product';
import { checkOrigin, sessionTokenOf } from '../../../kernel/web-pages/page-requests';
import { endSession } from '../../commands/accounts/sessions';
import { signIn, signInForDevelopment, type SignedIn } from '../../commands/accounts/log-in';
import { DONE } from '../../model/answers/envelope';
import { sessionAnswer, sessionsAnswer, signedInAnswer } from '../../model/answers/sessions';
import {
  invalidSubdomain,
  missingArgument,
  notADevelopmentServer,
  passwordsDisabled,
  realmDisabled,
  userDisabled,
} from '../../model/faults';
import { CHAT_COOKIE, endedCookies, noSuchSession, sessionCookies } from '../../model/accounts/session';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { describeSession, describeSignIn } from '../../queries/accounts/describe-session';
import { findCaller } from '../../queries/accounts/find-caller';
import { getRealm, getRealmId } from '../../queries/organisation/find-realm';
import { findSessionId, listSessions } from '../../queries/accounts/sessions';
import type { ChatSettings } from '../../settings';
import { LACKING_FACTOR } from '../wire-format';
import { accountKey, type LoginLimits } from './login-limits';
import { openIdRoutes } from './openid';
import { twoFactorRoutes } from './two-factor';
import { badCode, codeRequired } from '../../model/accounts/two-factor';

type Parts = Storage & Pick<Chat, 'keys' | 'log' | 'realms' | 'sessionDays'>;

const { get, del } = routesFor<User>();

function sessionRoutes(chat: Parts, settings: ChatSettings, limits: LoginLimits) {
  const seconds = secondsOf(settings.sessionDays);

  /** Sets the cookies again, so that a session in use does not expire. */
  async function signedIn({ user, token }: SignedIn, incoming: Incoming): Promise<Outgoing> {
    const { host, isSecure } = incoming;
    const value = await describeSession(chat, settings, { user, token, host });
    const device = limits.remember(incoming, accountKey(user.realmId, user.email), String(user.id));
    const cookies = [...sessionCookies(chat.secrets, token, { isSecure, seconds }), device];
    return new Outgoing(value, { headers: { 'Set-Cookie': cookies } });
  }

  async function signedOut({ host, isSecure }: Incoming, hasCookie: boolean): Promise<Outgoing> {
    const headers = hasCookie ? { 'Set-Cookie': endedCookies(isSecure) } : {};
    return new Outgoing(await describeSignIn(chat, settings, host), { headers });
  }

  return [
    openRoutes.get('/session', {
      summary: 'Get the signed-in user of this browser, or the ways to sign in',
      answer: sessionAnswer,
      refuses: [otherOrigin(), invalidSubdomain()],
      async run({ incoming }) {
        const hasCookie = CHAT_COOKIE.isIn(incoming.header('cookie'));
        if (hasCookie) checkOrigin(incoming);
        const session = sessionTokenOf(CHAT_COOKIE, incoming);
        const user = session === undefined ? undefined : await findSignedIn(chat, session, incoming);
        if (user && session !== undefined) return signedIn({ user, token: session }, incoming);
        return signedOut(incoming, hasCookie);
      },
    }),
    openRoutes.post('/session', {
      summary: 'Sign in with a browser session',
      answer: signedInAnswer,
      refuses: [
        badCredentials(),
        codeRequired(),
        badCode(),
        passwordsDisabled(),
        userDisabled(),
        realmDisabled(),
        otherOrigin(),
        invalidSubdomain(),
        missingArgument('email'),
        notADevelopmentServer(),
      ],
      params: {
        email: text.default(''),
        password: text.default(''),
        code: text.default(''),
        demo: text.optional(),
      },
      async run({ kernel, params, incoming }) {
        const { email, password, code, demo } = params;
        checkOrigin(incoming);
        const browser = { agent: incoming.header('user-agent'), address: incoming.ip };
        if (demo !== undefined) {
          await limits.address.count(addressGroup(incoming.ip));
          const realm = await getRealm(chat, incoming.host);
          return signedIn(await signInForDevelopment(kernel, settings, realm, { email: demo, ...browser }), incoming);
        }
        ensure(email !== '', missingArgument('email'));
        ensure(password !== '', missingArgument('password'));
        ensure(email.length <= MAX_EMAIL_LENGTH, badCredentials());
        const realmId = await getRealmId(chat.realms, incoming.host);
        const account = accountKey(realmId, email);
        await limits.countPassword(incoming, account);
        const shown = { email, password, code, countTry: () => limits.codes.count(account) };
        return signedIn(await signIn(kernel, settings, realmId, { ...shown, ...browser }), incoming);
      },
    }),
    del('/session', {
      summary: 'Sign out',
      answer: DONE,
      admits: [LACKING_FACTOR],
      async run({ kernel, by, incoming }) {
        const token = sessionTokenOf(CHAT_COOKIE, incoming);
        const id = token === undefined ? undefined : await findSessionId(chat, token);
        ensure(id !== undefined, sessionEnded());
        await endSession(kernel.transaction, by, id);
        return new Outgoing({}, { headers: { 'Set-Cookie': endedCookies(incoming.isSecure) } });
      },
    }),
    get('/sessions', {
      summary: 'Get your sessions',
      answer: sessionsAnswer,
      run: ({ by, incoming }) => listSessions(chat, by, sessionTokenOf(CHAT_COOKIE, incoming)),
    }),
    del('/sessions/:session_id', {
      summary: 'End one of your sessions',
      answer: DONE,
      refuses: [noSuchSession()],
      params: { session_id: integer },
      run: ({ kernel, by, params }) => endSession(kernel.transaction, by, params.session_id),
    }),
  ];
}

async function findSignedIn(chat: Parts, session: string, { host, ip: from }: Incoming): Promise<User | undefined> {
  try {
    return await findCaller(chat, { authorization: '', session, mayLackFactor: true, host, from });
  } catch (error) {
    if (error instanceof Fault && error.kind === 'unauthenticated') return undefined;
    throw error;
  }
}

/** Endpoints for web pages only. */
export const webMount = (
  chat: Storage & Pick<Chat, 'keys' | 'log' | 'openid' | 'passwords' | 'realms' | 'sessionDays' | 'settings'>,
  wireFormat: WireFormat<User>,
  settings: ChatSettings,
  limits: LoginLimits,
): Mount => ({
  prefix: '/web',
  wireFormat: { ...wireFormat, bodyTypes: ['application/json', 'application/x-www-form-urlencoded'] },
  routes: [
    ...sessionRoutes(chat, settings, limits),
    ...twoFactorRoutes(limits),
    ...openIdRoutes(chat, settings, limits),
  ],
});
