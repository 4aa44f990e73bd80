/** The organisation: settings, emoji and linkifiers. */
import { integrations } from '../../../integrations';
import { PROTOCOL_VERSION } from '../../../model/wire';
import { STOP_WORDS } from '../../../model/reading/search-words';
import { listRealmDomains } from '../../organisation/list-realm-domains';
import { listLinkifiers, listRealmEmoji } from '../../organisation/list-realm-emoji';
import type { StateParts } from './part';
import { realmKeys } from './realm-keys';

/** The integrations of webhook bots. None needs configuration. */
const INCOMING_WEBHOOK_BOTS = [...integrations.keys()].sort().map((name) => ({ name, config: {} }));

export const realmParts: StateParts = {
  realm: realmKeys,
  realm_domains: async ({ db, by }) => ({ realm_domains: await listRealmDomains({ mysql: db }, by.realmId) }),
  // A client of 2.1 breaks if this is not an object.
  realm_emoji: async ({ db, by }) => ({ realm_emoji: await listRealmEmoji({ mysql: db }, by.realmId) }),
  realm_filters: async ({ db, by }) => ({ realm_filters: await listLinkifiers({ mysql: db }, by.realmId) }),
  // There are no bots that run inside the server.
  realm_embedded_bots: () => ({ realm_embedded_bots: [] }),
  realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: INCOMING_WEBHOOK_BOTS }),
  stop_words: () => ({ stop_words: [...STOP_WORDS] }),
  zulip_version: () => ({ zulip_version: PROTOCOL_VERSION }),
};
