/** Endpoints available before login, and login itself. */
import { NO_BODY } from '../../../kernel/http/answers';
import { Download } from '../../../kernel/http/outgoing';
import { text } from '../../../kernel/http/params';
import { openRoutes } from '../../../kernel/http/route';
import { checkLoginName, logIn } from '../../commands/accounts/log-in';
import type { Chat } from '../../parts';
import { listExternalMethods } from '../../queries/accounts/list-openid-providers';
import { fetchDevelopmentKey } from '../../queries/accounts/keys';
import { findRealmWithUrl, getRealm, getRealmId } from '../../queries/organisation/find-realm';
import { serverSettings } from '../../queries/organisation/server-settings';
import type { ChatSettings } from '../../settings';
import { accountKey, type LoginLimits } from './login-limits';
import { emojiDataAnswer, serverSettingsAnswer } from '../../model/answers/realm';
import { loginAnswer } from '../../model/answers/users';
import { emojiData, emojiDataHash } from '../../model/markdown/emoji-data';
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

const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

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
      async run({ incoming }) {
        const at = await findRealmWithUrl(chat, incoming.host);
        const isToday = settings.chatFeatureLevel === 'on';
        const methods = at && isToday ? await listExternalMethods(chat.mysql, at.realm.id) : [];
        return serverSettings(settings, at, incoming.header('user-agent'), methods);
      },
    }),
    get('/emoji_data/:hash', {
      summary: 'Get the names of all emoji; the address is `server_emoji_data_url` of /register',
      answer: emojiDataAnswer,
      // The address changes with the content, and a client with an older one is best served with what there is now.
      run: ({ params }) => {
        const caching: Record<string, string> = params.hash === emojiDataHash() ? FOR_EVER : {};
        return Promise.resolve(new Download(emojiData(), 'application/json', caching));
      },
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
