/** Public information about the server, available before login. */
import type { Wire } from '../../../kernel/text/wire';
import type { ExternalMethod, serverSettingsAnswer } from '../../model/answers/realm';
import { clientOf, isIncompatible } from '../../model/client';
import { realmPictureUrl } from '../../model/uploads/realm-picture';
import { paragraphs, PROTOCOL_VERSION, versionOf } from '../../model/wire';
import type { ChatSettings } from '../../settings';
import type { RealmWithUrl } from './find-realm';

/** Methods that clients know. Those not offered are false. */
const METHODS = ['azuread', 'dev', 'email', 'github', 'google', 'ldap', 'password', 'remoteuser', 'saml'];

/** Zulip's name of it, since 5.0. */
const OPENID = 'openid connect';

export function serverSettings(
  settings: ChatSettings,
  at: RealmWithUrl | undefined,
  userAgent: string,
  ofOrganisation: readonly ExternalMethod[] = [],
): Wire<typeof serverSettingsAnswer> {
  const offered = new Set(settings.authMethods);
  if (settings.nodeEnv === 'production') offered.delete('dev');
  for (const { name } of settings.externalLogins) offered.add(name.split(':')[0]!);
  if (ofOrganisation.length > 0) offered.add(OPENID);
  const names = [...new Set([...METHODS, ...offered])].sort();
  return {
    authentication_methods: Object.fromEntries(names.map((name) => [name, offered.has(name)])),
    external_authentication_methods: [...settings.externalLogins, ...ofOrganisation],
    chat_version: PROTOCOL_VERSION,
    ...versionOf(settings),
    ...(settings.chatFeatureLevel === 'on' ? TODAY : {}),
    push_notifications_enabled: false,
    is_incompatible: isIncompatible(clientOf(userAgent), settings.minimumClients),
    email_auth_enabled: offered.has('email'),
    require_email_format_usernames: !offered.has('ldap'),
    ...(at ? ofRealm(at, settings) : {}),
  };
}

/** What today's clients read besides. */
const TODAY = { zulip_merge_base: '', realm_web_public_access_enabled: false };

function ofRealm({ realm, url }: RealmWithUrl, { chatFeatureLevel }: ChatSettings) {
  return {
    realm_uri: url,
    ...(chatFeatureLevel === 'on' ? { realm_url: url } : {}),
    realm_name: realm.name,
    realm_icon: realmPictureUrl(realm, 'icon'),
    realm_description: paragraphs(realm.description),
  };
}
