/** What can be asked before logging in, and logging in. */
import { emailKey } from '../../kernel/email-key';
import { text } from '../../kernel/http/params';
import type { RateLimit } from '../../kernel/http/rate-limit';
import { openRoutes } from '../../kernel/http/route';
import { fetchDevelopmentKey, fetchKey } from '../queries/fetch-key';
import { findRealmWithUrl, getRealm } from '../queries/find-realm';
import { serverSettings } from '../queries/server-settings';
import type { ChatSettings } from '../settings';

const { get, post } = openRoutes;

/** Guesses are counted for the account they aim at and for the address they come from. */
export interface LoginLimits {
  readonly account: RateLimit;
  readonly address: RateLimit;
}

export function serverRoutes(settings: ChatSettings, limits: LoginLimits) {
  return [
    get('/server_settings', {
      summary: 'Get server and organisation settings',
      run: async ({ kernel, incoming }) =>
        serverSettings(settings, await findRealmWithUrl(kernel, incoming.host), incoming.header('user-agent')),
    }),
    post('/dev_fetch_api_key', {
      summary: 'Get the key of any user; development servers only',
      params: { username: text },
      run: async ({ kernel, params, incoming }) =>
        fetchDevelopmentKey(kernel, settings, await getRealm(kernel, incoming.host), params.username),
    }),
    post('/fetch_api_key', {
      summary: 'Get your own key for your password',
      params: { username: text, password: text },
      run: async ({ kernel, params, incoming }) => {
        await limits.address.count(incoming.ip);
        const realm = await getRealm(kernel, incoming.host);
        await limits.account.count(`${realm.id}:${emailKey(params.username)}`);
        return fetchKey(kernel, settings, realm, params);
      },
    }),
  ];
}
