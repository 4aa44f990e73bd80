/** An organisation's OpenID providers. */
import type { Database } from '../../../kernel/mysql/pool';
import type { ExternalMethod } from '../../model/answers/realm';
import type { OpenIdMethod, OpenIdProvidersAnswer } from '../../model/answers/sessions';
import type { RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import * as providers from '../../store/accounts/openid-providers';

/** Public: what the sign-in page shows, and where it links to. */
export async function listOpenIdMethods(db: Database, realmId: RealmId): Promise<OpenIdMethod[]> {
  const stored = await providers.list(db, realmId);
  return stored.map(({ name, displayName }) => ({ name: displayName, url: `/web/openid/${name}` }));
}

/** For apps, which add what they need to the address. */
export async function listExternalMethods(db: Database, realmId: RealmId): Promise<ExternalMethod[]> {
  const stored = await providers.list(db, realmId);
  return stored.map(({ name, displayName }) => {
    const url = `/web/openid/${name}`;
    return { name: `oidc:${name}`, display_name: displayName, display_icon: null, login_url: url, signup_url: url };
  });
}

/** For administrators: everything but the secrets. */
export async function listOpenIdProviders(db: Database, by: User): Promise<OpenIdProvidersAnswer> {
  ensureAdmin(by);
  const stored = await providers.list(db, by.realmId);
  return {
    providers: stored.map((provider) => ({
      name: provider.name,
      display_name: provider.displayName,
      issuer: provider.issuer,
      client_id: provider.clientId,
      domains: [...provider.domains],
      creates_accounts: provider.createsAccounts,
    })),
  };
}
