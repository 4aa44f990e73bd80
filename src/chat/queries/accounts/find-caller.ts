/** Authenticates a request: by the API key in its Basic authorization header, or by the session in its cookie. */
import type { Storage } from '../../../kernel/kernel';
import { callerKey, readBasic } from '../../model/accounts/credentials';
import { requestedHost } from '../../model/organisation/address';
import type { User } from '../../model/users/user';
import type { Chat, Authentication } from '../../parts';
import { atHome, findHolder } from './keys';
import { findSessionUser, sessionCallerKey } from './sessions';

type Parts = Storage & Pick<Chat, 'keys' | 'log' | 'realms' | 'sessionDays'>;

/** The credentials of a request, and where it comes from. */
export interface Shown {
  readonly authorization: string;
  /** The session token, for requests without the header. */
  readonly session?: string | undefined;
  /** If true, also accepts a session that can only set up a second factor. */
  readonly mayLackFactor?: boolean;
  readonly host: string;
  readonly from: string;
}

/** Parsed credentials: the key under which their caller is cached, and how to look the caller up. */
interface Credentials {
  readonly cacheKey: () => string;
  readonly find: () => Promise<User>;
}

function credentialsOf(chat: Storage & Pick<Chat, 'keys' | 'log' | 'sessionDays'>, shown: Shown): Credentials {
  const { session: token, from, mayLackFactor = false } = shown;
  if (token !== undefined) {
    const session = { token, from, mayLackFactor };
    return { cacheKey: () => sessionCallerKey(token), find: () => findSessionUser(chat, session) };
  }
  const basic = readBasic(shown.authorization);
  return { cacheKey: () => callerKey(basic), find: () => findHolder(chat, basic, from) };
}

export async function findCaller(chat: Parts, shown: Shown): Promise<User> {
  return atHome(chat.realms, await credentialsOf(chat, shown).find(), shown.host);
}

/** For frequent requests: a caller who was authenticated recently is taken from the cache until something changes. */
export async function findCachedCaller(chat: Authentication, shown: Shown): Promise<User> {
  const credentials = credentialsOf(chat, shown);
  const key = credentials.cacheKey();
  const recent = chat.callers.get(key);
  if (recent) {
    chat.polls.noteUse(recent.realmId);
    return atHome(chat.realms, recent, shown.host);
  }
  const at = chat.changedUsers.now;
  const user = await chat.callers.find(key, async () => atHome(chat.realms, await credentials.find(), shown.host));
  chat.changedUsers.lookedUp(user, at);
  // A caller can be cached only while this node follows the organisation's log.
  chat.polls
    .open(user.realmId)
    .catch((error: Error) => chat.log.debug({ error }, 'could not follow the event log of an organisation'));
  return user;
}

/** The parsed caller headers of a request. */
export interface CallerHeaders {
  readonly key: string;
  /** Normalised by `requestedHost`. */
  readonly host: string;
}

/** Returns undefined for invalid headers: the Koa application reports the error. */
export function readCallerHeaders({ authorization, host }: Omit<Shown, 'from'>): CallerHeaders | undefined {
  try {
    return { key: callerKey(readBasic(authorization)), host: requestedHost(host) };
  } catch {
    return undefined;
  }
}

/** Returns a cached caller synchronously, or undefined. */
export function cachedCaller(chat: Pick<Chat, 'callers' | 'realms'>, { key, host }: CallerHeaders): User | undefined {
  const user = chat.callers.get(key);
  return user && chat.realms.cachedPlace(host) === user.realmId ? user : undefined;
}
