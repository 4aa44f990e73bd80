/** Sets and removes an organisation's OpenID providers. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Transact } from '../../../kernel/mysql/transaction';
import {
  badProvider,
  isDomain,
  isIssuer,
  isProviderName,
  MAX_DOMAINS,
  MAX_PROVIDERS,
  noSuchProvider,
  type StoredProvider,
} from '../../model/accounts/openid';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import * as providers from '../../store/accounts/openid-providers';
import * as users from '../../store/users/users';

export interface NewProvider extends StoredProvider {
  /** Empty keeps the stored secret, if the issuer is unchanged. */
  readonly clientSecret: string;
}

const MAX_SECRET_LENGTH = 1000;

export async function setProvider(
  kernel: Storage,
  by: User,
  provider: NewProvider,
  isForDevelopment: boolean,
): Promise<void> {
  ensureAdmin(by);
  checkProvider(provider, isForDevelopment);
  await kernel.transaction(async ({ db }) => {
    // Serialise changes, so that the count is exact.
    await users.lockAdmins(db, by.realmId);
    const stored = await providers.list(db, by.realmId);
    const before = stored.find(({ name }) => name === provider.name);
    ensure(before !== undefined || stored.length < MAX_PROVIDERS, badProvider(`There are ${MAX_PROVIDERS} already`));
    const { clientSecret, issuer } = provider;
    // Never for another issuer, which would then receive the secret.
    const kept = before?.issuer === issuer ? before.secretSealed : undefined;
    const secretSealed = clientSecret === '' ? kept : kernel.secrets.encrypt(clientSecret);
    ensure(secretSealed !== undefined, badProvider('A client_secret is needed'));
    await providers.set(db, by.realmId, { ...provider, secretSealed });
  });
}

function checkProvider(provider: NewProvider, isForDevelopment: boolean): void {
  const { name, displayName, issuer, clientId, clientSecret, domains, createsAccounts } = provider;
  ensure(isProviderName(name), badProvider('A name is up to 30 small letters, digits and hyphens'));
  ensure(displayName.trim() !== '' && displayName.length <= 50, badProvider('display_name has 1 to 50 characters'));
  ensure(isIssuer(issuer, isForDevelopment), badProvider('issuer is an https address without query'));
  ensure(clientId !== '' && clientId.length <= 255, badProvider('client_id has 1 to 255 characters'));
  ensure(
    clientSecret.length <= MAX_SECRET_LENGTH,
    badProvider(`client_secret has at most ${MAX_SECRET_LENGTH} characters`),
  );
  ensure(domains.length <= MAX_DOMAINS && domains.every(isDomain), badProvider('domains are names of domains'));
  // A provider open to everyone would otherwise let everyone in.
  ensure(!createsAccounts || domains.length > 0, badProvider('creates_accounts needs at least one domain'));
}

export async function removeProvider(transaction: Transact, by: User, name: string): Promise<void> {
  ensureAdmin(by);
  const isRemoved = await transaction(({ db }) => providers.remove(db, by.realmId, searchableName(name)));
  ensure(isRemoved, noSuchProvider());
}

/** Stored names are always valid, so an invalid name matches none. */
const searchableName = (name: string): string => (isProviderName(name) ? name : '');
