/** Starts a sign-in at an OpenID provider. */
import { ensure } from '../../../kernel/fault';
import { noSuchProvider, PENDING_MS, type PendingOpenId } from '../../model/accounts/openid';
import type { RealmId } from '../../model/organisation/realm';
import type { Chat } from '../../parts';
import * as providers from '../../store/accounts/openid-providers';

export async function getProvider({ kernel }: Chat, realmId: RealmId, name: string) {
  const stored = await providers.find(kernel.mysql, realmId, name);
  ensure(stored !== undefined, noSuchProvider());
  const { issuer, clientId, secretSealed } = stored;
  return { stored, provider: { issuer, clientId, clientSecret: kernel.secrets.decrypt(secretSealed) } };
}

/** The redirect URI, as registered with the provider. */
export const callbackUrl = async (chat: Chat, realmId: RealmId, name: string): Promise<string> =>
  `${await chat.realms.publicUrl(realmId)}/web/openid/${name}/callback`;

/** Returns the URL to redirect to, and sealed state for the browser to keep meanwhile. */
export async function beginOpenId(
  chat: Chat,
  realmId: RealmId,
  name: string,
): Promise<{ url: string; sealed: string }> {
  const { provider } = await getProvider(chat, realmId, name);
  const { url, pending } = await chat.openid.begin(provider, await callbackUrl(chat, realmId, name));
  const kept: PendingOpenId = { realmId, provider: name, ...pending, until: Date.now() + PENDING_MS };
  return { url, sealed: chat.kernel.secrets.encrypt(JSON.stringify(kept)) };
}
