/** Endpoints available before login, and login itself. */
import { NO_BODY } from '../../../kernel/http/answers';
import { text } from '../../../kernel/http/params';
import { openRoutes } from '../../../kernel/http/route';
import { checkLoginName, logIn } from '../../commands/accounts/log-in';
import type { Chat } from '../../parts';
import { fetchDevelopmentKey } from '../../queries/accounts/keys';
import { findRealmWithUrl, getRealm, getRealmId } from '../../queries/organisation/find-realm';
import { serverSettings } from '../../queries/organisation/server-settings';
import type { ChatSettings } from '../../settings';
import { accountKey, type LoginLimits } from './login-limits';
import { serverSettingsAnswer } from '../../model/answers/realm';
import { loginAnswer } from '../../model/answers/users';
import {
  invalidSubdomain,
  notADevelopmentServer,
  passwordsDisabled,
  realmDisabled,
  unregistered,
  userDisabled,
  wrongPassword,
} from '../../model/faults';
import { badCode, codeRequired, secondFactorMissing } from '../../model/accounts/two-factor';

const { get, post } = openRoutes;

export function serverRoutes(chat: Pick<Chat, 'mysql' | 'realms'>, settings: ChatSettings, limits: LoginLimits) {
  return [
    get('/generate_204', {
      summary: 'Check that the server is reachable',
      answer: NO_BODY,
      status: 204,
      run: () => Promise.resolve({}),
    }),
    get('/server_settings', {
      summary: 'Get server and organisation settings',
      answer: serverSettingsAnswer,
      refuses: [invalidSubdomain()],
      run: async ({ incoming }) =>
        serverSettings(settings, await findRealmWithUrl(chat, incoming.host), incoming.header('user-agent')),
    }),
    post('/dev_fetch_api_key', {
      summary: 'Get the API key of any user; development servers only',
      answer: loginAnswer,
      refuses: [
        notADevelopmentServer(),
        unregistered(),
        secondFactorMissing(),
        realmDisabled(),
        userDisabled(),
        invalidSubdomain(),
      ],
      params: { username: text },
      run: async ({ kernel, params, incoming }) =>
        fetchDevelopmentKey(kernel, settings, await getRealm(chat, incoming.host), params.username),
    }),
    post('/fetch_api_key', {
      summary: 'Get your API key with your password',
      answer: loginAnswer,
      refuses: [
        wrongPassword(),
        passwordsDisabled(),
        codeRequired(),
        badCode(),
        secondFactorMissing(),
        realmDisabled(),
        userDisabled(),
        invalidSubdomain(),
      ],
      params: { username: text, password: text, code: text.default('') },
      run: async ({ kernel, params, incoming }) => {
        checkLoginName(params.username);
        const realmId = await getRealmId(chat.realms, incoming.host);
        const account = accountKey(realmId, params.username);
        await limits.countPassword(incoming, account);
        const countTry = () => limits.codes.count(account);
        return logIn(kernel, settings, realmId, { ...params, countTry, from: incoming.ip });
      },
    }),
  ];
}
