/** The organisation: settings, emoji and linkifiers. */
import { integrations } from '../../../integrations';
import { botDomainOf } from '../../../model/organisation/address';
import type { Realm } from '../../../model/organisation/realm';
import { REALM_SETTINGS, type RealmSetting } from '../../../model/organisation/realm-settings';
import { STOP_WORDS } from '../../../model/reading/search-words';
import { MAX_PICTURE_MEGABYTES } from '../../../model/uploads/picture-recipes';
import { REALM_PICTURES, realmPictureFields } from '../../../model/uploads/realm-picture';
import { DEFAULT_EXTERNAL_ACCOUNTS } from '../../../model/users/profile-field';
import type { User } from '../../../model/users/user';
import { PROTOCOL_VERSION } from '../../../model/wire';
import { realmDomainsRead, linkifiersRead, realmEmojiRead } from '../../organisation/realm-lists';
import { serverSettings } from '../../organisation/server-settings';
import type { StatePart, StateParts } from './part';

/** Credentials for another service, shown only to the administrators who enter them. */
const SECRET: ReadonlySet<RealmSetting> = new Set(['zoom_api_key', 'zoom_api_secret', 'zoom_user_id']);

/** Maps our names of authentication methods to those in Zulip's organisation settings. */
const METHODS: Readonly<Record<string, string>> = {
  azuread: 'AzureAD',
  dev: 'Dev',
  email: 'Email',
  github: 'GitHub',
  google: 'Google',
  ldap: 'LDAP',
  remoteuser: 'RemoteUser',
  saml: 'SAML',
};

const VIDEO_CHAT_PROVIDERS = {
  jitsi_meet: { name: 'Jitsi Meet', id: 1 },
  google_hangouts: { name: 'Google Hangouts', id: 2 },
  zoom: { name: 'Zoom', id: 3 },
};

/** Features that this server does not have, and fixed limits. */
const FIXED = {
  max_icon_file_size: MAX_PICTURE_MEGABYTES,
  max_logo_file_size: MAX_PICTURE_MEGABYTES,
  realm_is_zephyr_mirror_realm: false,
  realm_push_notifications_enabled: false,
  realm_upload_quota: null,
  realm_enable_read_receipts: true,
  // Self-hosted: there are no paid plans.
  realm_plan_type: 1,
  plan_includes_wide_organization_logo: true,
  upgrade_text_for_wide_organization_logo: '',
  settings_send_digest_emails: false,
  realm_available_video_chat_providers: VIDEO_CHAT_PROVIDERS,
  realm_default_external_accounts: DEFAULT_EXTERNAL_ACCOUNTS,
};

interface ServerKeys {
  readonly authentication_methods: Readonly<Record<string, boolean>>;
  readonly realm_uri: string;
}

/** Every `realm_` key: the organisation's settings, and fixed values for features that this server lacks. */
const realmKeys: StatePart = async ({ request, ...view }) => {
  const [realm, self] = await Promise.all([view.realm(), view.self()]);
  const { authentication_methods: methods, ...server } = serverSettings(
    request.settings,
    { realm, url: request.publicUrl },
    '',
  ) as ServerKeys;
  return {
    ...settingsOf(realm, self),
    ...FIXED,
    realm_name: realm.name,
    realm_description: realm.description,
    realm_uri: server.realm_uri,
    jitsi_server_url: request.settings.jitsiServerUrl,
    ...picturesOf(realm),
    realm_bot_domain: botDomainOf(request.publicUrl),
    realm_authentication_methods: Object.fromEntries(
      Object.entries(METHODS).map(([name, wire]) => [wire, methods[name] === true]),
    ),
    realm_email_auth_enabled: methods['email'] === true,
    realm_password_auth_enabled: methods['password'] === true,
  };
};

const picturesOf = (realm: Realm): Record<string, string> =>
  Object.fromEntries(
    REALM_PICTURES.flatMap((kind) => Object.entries(realmPictureFields(realm, kind))).map(([name, value]) => [
      `realm_${name}`,
      value,
    ]),
  );

function settingsOf(realm: Realm, by: User): Record<string, unknown> {
  const shown = (name: RealmSetting) => (SECRET.has(name) && by.role !== 'admin' ? '' : realm.settings[name]);
  return Object.fromEntries(REALM_SETTINGS.map((name) => [`realm_${name}`, shown(name)]));
}

/** The integrations of webhook bots. None needs configuration. */
const INCOMING_WEBHOOK_BOTS = [...integrations.keys()].sort().map((name) => ({ name, config: {} }));

export const realmParts: StateParts = {
  realm: realmKeys,
  realm_domains: async ({ read, by }) => ({ realm_domains: await read(realmDomainsRead(by.realmId)) }),
  // A client of 2.1 breaks if this is not an object.
  realm_emoji: async ({ read, by }) => ({ realm_emoji: await read(realmEmojiRead(by.realmId)) }),
  realm_filters: async ({ read, by }) => ({ realm_filters: await read(linkifiersRead(by.realmId)) }),
  // There are no bots that run inside the server.
  realm_embedded_bots: () => ({ realm_embedded_bots: [] }),
  realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: INCOMING_WEBHOOK_BOTS }),
  stop_words: () => ({ stop_words: [...STOP_WORDS] }),
  // Whatever the server declares, what clients of 2.1 get is that of 2.1.
  zulip_version: () => ({ zulip_version: PROTOCOL_VERSION }),
};
