/** Signing in with OpenID Connect, and the providers that an organisation trusts. */
import { z } from 'zod';
import { addressGroup } from '../../../kernel/admission/address-group';
import { Fault } from '../../../kernel/fault';
import type { Incoming } from '../../../kernel/http/incoming';
import { Outgoing } from '../../../kernel/http/outgoing';
import { flag, text } from '../../../kernel/http/params';
import { openRoutes, routesFor } from '../../../kernel/http/route';
import type { Storage } from '../../../kernel/kernel';
import { secondsOf } from '../../../kernel/sessions/page-session';
import { beginOpenId, finishOpenId } from '../../commands/accounts/openid';
import { removeProvider, setProvider } from '../../commands/accounts/change-providers';
import { DONE } from '../../model/answers/envelope';
import { openIdProvidersAnswer } from '../../model/answers/sessions';
import {
  badProvider,
  endedCookie,
  isProviderName,
  noSuchProvider,
  pendingCookie,
  readPendingCookie,
} from '../../model/accounts/openid';
import { invalidOneTimePad, isOneTimePad } from '../../model/accounts/mobile-sign-in';
import { sessionCookies } from '../../model/accounts/session';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { isForDevelopment } from '../../queries/accounts/describe-session';
import { getRealmId } from '../../queries/organisation/find-realm';
import { listOpenIdProviders } from '../../queries/accounts/list-openid-providers';
import type { ChatSettings } from '../../settings';
import type { LoginLimits } from './login-limits';
import { listOf } from '../wire-params';
import { adminsOnly } from '../../model/users/user-faults';

type Parts = Storage & Pick<Chat, 'log' | 'openid' | 'passwords' | 'realms' | 'settings'>;

const { get, put, del } = routesFor<User>();

const FOR_APPS =
  '64 hex digits: at the end the browser is sent to `zulip://login` with the API key, of which they are the one-time pad.';

/** Redirects to the page, with the error code in the query, because the client is a browser and not a program. */
const toPage = (headers: Outgoing['headers'] = {}, code?: string): Outgoing =>
  new Outgoing(
    {},
    { status: 302, headers: { Location: code === undefined ? '/' : `/?sign_in_error=${code}`, ...headers } },
  );

export function openIdRoutes(chat: Parts, settings: ChatSettings, limits: LoginLimits) {
  /** Refusals meant for people go to the page. Rate limits and internal errors are answered as everywhere else. */
  async function forBrowser(incoming: Incoming, name: string, run: () => Promise<Outgoing>): Promise<Outgoing> {
    await limits.address.count(addressGroup(incoming.ip));
    try {
      if (!isProviderName(name)) throw noSuchProvider();
      return await run();
    } catch (error) {
      if (!(error instanceof Fault) || error.code === undefined) throw error;
      const { code, cause } = error;
      chat.log.warn({ code, reason: reasonOf(cause) }, 'an OpenID Connect sign-in failed');
      return toPage({}, code);
    }
  }

  return [
    openRoutes.get('/openid/:provider', {
      summary: 'Sign in with an OpenID Connect provider',
      answer: DONE,
      status: 302,
      refuses: [invalidOneTimePad()],
      params: { mobile_flow_otp: text.optional().meta({ description: FOR_APPS }) },
      async run({ incoming, params: { provider: name, mobile_flow_otp: pad } }) {
        // Nobody but an app writes one, so there is no page for a wrong one.
        if (pad !== undefined && !isOneTimePad(pad)) throw invalidOneTimePad();
        return forBrowser(incoming, name, async () => {
          const { url, sealed } = await beginOpenId(chat, await getRealmId(chat.realms, incoming.host), { name, pad });
          const headers = { Location: url, 'Set-Cookie': pendingCookie(sealed, incoming.isSecure) };
          return new Outgoing({}, { status: 302, headers });
        });
      },
    }),
    openRoutes.get('/openid/:provider/callback', {
      summary: 'Return from the OpenID Connect provider',
      answer: DONE,
      status: 302,
      run: ({ incoming, params: { provider: name } }) =>
        forBrowser(incoming, name, async () => {
          const { host, isSecure, search, ip: address } = incoming;
          const sealed = readPendingCookie(incoming.header('cookie'), isSecure);
          const browser = { agent: incoming.header('user-agent'), address };
          const realmId = await getRealmId(chat.realms, host);
          const finished = await finishOpenId(chat, { realmId, name, sealed, search, ...browser });
          if ('app' in finished) {
            const headers = {
              Location: finished.app,
              'Set-Cookie': endedCookie(isSecure),
              'Cache-Control': 'no-store',
            };
            return new Outgoing({}, { status: 302, headers });
          }
          const terms = { isSecure, seconds: secondsOf(settings.sessionDays) };
          return toPage({ 'Set-Cookie': sessionCookies(chat.secrets, finished.token, terms) });
        }),
    }),
    get('/openid-providers', {
      summary: 'List the OpenID Connect providers; administrators only',
      answer: openIdProvidersAnswer,
      refuses: [adminsOnly()],
      run: ({ kernel, by }) => listOpenIdProviders(kernel.mysql, by),
    }),
    put('/openid-providers/:provider', {
      summary: 'Add an OpenID Connect provider; administrators only',
      answer: DONE,
      refuses: [adminsOnly(), badProvider('issuer is an https address without query')],
      params: {
        display_name: text,
        issuer: text,
        client_id: text,
        client_secret: text.default(''),
        domains: listOf(z.string()),
        creates_accounts: flag.default(false),
      },
      run: ({ kernel, by, params }) =>
        setProvider(
          kernel,
          by,
          {
            name: params.provider,
            displayName: params.display_name,
            issuer: params.issuer,
            clientId: params.client_id,
            clientSecret: params.client_secret,
            domains: params.domains.map((domain) => domain.toLowerCase()),
            createsAccounts: params.creates_accounts,
          },
          isForDevelopment(settings),
        ),
    }),
    del('/openid-providers/:provider', {
      summary: 'Remove an OpenID Connect provider; administrators only',
      answer: DONE,
      refuses: [adminsOnly(), noSuchProvider()],
      run: ({ kernel, by, params }) => removeProvider(kernel.transaction, by, params.provider),
    }),
  ];
}

/** Not the error itself, which contains the provider's response. */
const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : '');
