/** Signs users in at an OpenID provider. */
import type { Storage } from '../../../kernel/kernel';
import { isPlainlySpelled } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import type { OpenIdPerson } from '../../../kernel/openid/openid';
import type { Secrets } from '../../../kernel/secrets/secrets';
import type { Browser } from '../../../kernel/sessions/page-session';
import type { RealmDirectory } from '../../caches/realm-directory';
import {
  accountDisabled,
  domainNotAllowed,
  domainOf,
  emailNotVerified,
  lateOpenId,
  noAccount,
  noSuchProvider,
  PENDING_MS,
  type PendingOpenId,
  type StoredProvider,
} from '../../model/accounts/openid';
import { appAddress, type OneTimePad } from '../../model/accounts/mobile-sign-in';
import type { RealmId } from '../../model/organisation/realm';
import { isEmail, type User } from '../../model/users/user';
import { isBot, nameOrAddress } from '../../model/users/user-policy';
import type { Chat, Enrolling } from '../../parts';
import { keyOf } from '../../queries/accounts/keys';
import * as providers from '../../store/accounts/openid-providers';
import * as realms from '../../store/organisation/realms';
import * as people from '../../store/users/people';
import * as users from '../../store/users/users';
import { createUser } from '../users/create-user';
import { openSession } from './sessions';
import type { SignedIn } from './log-in';

async function getProvider(kernel: Storage, realmId: RealmId, name: string) {
  const stored = await providers.find(kernel.mysql, realmId, name);
  ensure(stored !== undefined, noSuchProvider());
  const { issuer, clientId, secretSealed } = stored;
  return { stored, provider: { issuer, clientId, clientSecret: kernel.secrets.decrypt(secretSealed) } };
}

/** The redirect URI, as registered with the provider. */
const callbackUrl = async (realms: RealmDirectory, realmId: RealmId, name: string): Promise<string> =>
  `${await realms.publicUrl(realmId)}/web/openid/${name}/callback`;

/** Returns the URL to redirect to, and sealed state for the browser to keep meanwhile. */
export async function beginOpenId(
  chat: Storage & Pick<Chat, 'openid' | 'realms'>,
  realmId: RealmId,
  { name, pad }: { readonly name: string; readonly pad: OneTimePad | undefined },
): Promise<{ url: string; sealed: string }> {
  const { provider } = await getProvider(chat, realmId, name);
  const { url, pending } = await chat.openid.begin(provider, await callbackUrl(chat.realms, realmId, name));
  const kept: PendingOpenId = {
    realmId,
    provider: name,
    ...pending,
    ...(pad === undefined ? {} : { pad }),
    until: Date.now() + PENDING_MS,
  };
  return { url, sealed: chat.secrets.encrypt(JSON.stringify(kept)) };
}

interface OpenIdAnswer extends Browser {
  readonly realmId: RealmId;
  readonly name: string;
  /** The sealed state from the browser; undefined if there is none. */
  readonly sealed: string | undefined;
  /** The query string of the provider's redirect. */
  readonly search: string;
}

/** Where the browser is sent with the key, or the session that it gets. */
export type Finished = { readonly app: string } | SignedIn;

/** Into an existing account, or into a new one if the organisation allows it. */
export async function finishOpenId(
  chat: Enrolling & Pick<Chat, 'openid' | 'realms'>,
  answer: OpenIdAnswer,
): Promise<Finished> {
  const { realmId, name, search, agent, address } = answer;
  const pending = readPending(chat.secrets, answer);
  const { stored, provider } = await getProvider(chat, realmId, name);
  const url = new URL(search, await callbackUrl(chat.realms, realmId, name));
  const person = await chat.openid.finish(provider, pending, url);
  const user = await findAccount(chat, realmId, stored, person);
  const realm = await realms.byId(chat.mysql, realmId);
  ensure(user.isActive && realm?.isActive === true, accountDisabled());
  if (pending.pad !== undefined) return { app: await addressFor(chat, user, pending.pad) };
  return { user, token: await openSession(chat, user, { agent, address, isExternal: true }) };
}

/** A key is only given to who has the second factor that their organisation requires, however they signed in. */
async function addressFor(chat: Storage & Pick<Chat, 'realms'>, user: User, pad: OneTimePad): Promise<string> {
  const { api_key: key } = await keyOf(chat, user);
  const realm = await chat.realms.publicUrl(user.realmId);
  return appAddress({ realm, email: user.email, userId: user.id, key }, pad);
}

/** Accepts only state that this server recently sealed for this organisation and provider. */
function readPending(secrets: Secrets, { realmId, name, sealed }: OpenIdAnswer): PendingOpenId {
  ensure(sealed !== undefined, lateOpenId());
  let pending: PendingOpenId;
  try {
    pending = JSON.parse(secrets.decrypt(sealed)) as PendingOpenId;
  } catch {
    throw lateOpenId();
  }
  const isMeant = pending.realmId === realmId && pending.provider === name && pending.until > Date.now();
  ensure(isMeant, lateOpenId());
  return pending;
}

/**
 * A known identity keeps its account, even if its address changed. Others are matched by exactly their verified address:
 * what looks like it may belong to somebody else.
 */
async function findAccount(
  kernel: Enrolling,
  realmId: RealmId,
  stored: StoredProvider,
  person: OpenIdPerson,
): Promise<User> {
  const { email, isEmailVerified, subject } = person;
  ensure(subject !== '' && isEmail(email) && isEmailVerified, emailNotVerified());
  ensure(stored.domains.length === 0 || stored.domains.includes(domainOf(email)), domainNotAllowed());
  const identityHash = kernel.secrets.lookup(`openid ${stored.issuer} ${subject}`);
  const known = await providers.findByIdentity(kernel.mysql, realmId, identityHash);
  if (known) return known;
  const user =
    (await users.byEmail(kernel.mysql, realmId, email)) ?? (await newAccount(kernel, realmId, stored, person));
  ensure(!isBot(user), noAccount());
  await kernel.transaction(({ db }) => providers.insertIdentity(db, realmId, identityHash, user.id));
  return user;
}

async function newAccount(
  kernel: Enrolling,
  realmId: RealmId,
  { createsAccounts }: StoredProvider,
  { email, name }: OpenIdPerson,
): Promise<User> {
  const isTaken = (await people.withEmailKeys(kernel.mysql, realmId, [email])).length > 0;
  ensure(createsAccounts && isPlainlySpelled(email) && !isTaken, noAccount());
  const fullName = nameOrAddress(name, email);
  const { id } = await createUser(kernel, { realmId, email, fullName, role: 'member', isWelcomed: true });
  return (await users.byId(kernel.mysql, realmId, id))!;
}
