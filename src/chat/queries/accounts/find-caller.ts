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

function lookUp(chat: Storage & Pick<Chat, 'keys' | 'log' | 'sessionDays'>, shown: Shown): Promise<User> {
  const { authorization, session: token, from, mayLackFactor = false } = shown;
  if (token === undefined) return findHolder(chat, readBasic(authorization), from);
  return findSessionUser(chat, { token, from, mayLackFactor });
}

export async function findCaller(chat: Parts, shown: Shown): Promise<User> {
  return atHome(chat.realms, await lookUp(chat, shown), shown.host);
}

/**
 * For frequent requests: a caller who was authenticated recently is taken from the cache until something changes. Their
 * header is what was valid before, so it is not parsed again.
 */
export function findCachedCaller(
  chat: Authentication,
  shown: Shown,
  { key, host }: CallerHeaders = readCallerHeaders(shown),
): User | Promise<User> {
  const recent = chat.callers.get(key);
  if (!recent) return findAndCache(chat, shown, key);
  chat.polls.noteUse(recent.realmId);
  const isHome = chat.realms.cachedPlace(host) === recent.realmId;
  return isHome ? recent : atHome(chat.realms, recent, shown.host);
}

async function findAndCache(chat: Authentication, shown: Shown, key: string): Promise<User> {
  const at = chat.changedUsers.now;
  const user = await chat.callers.find(key, () => findCaller(chat, shown));
  chat.changedUsers.lookedUp(user, at);
  // A caller can be cached only while this node follows the organisation's log.
  chat.polls
    .open(user.realmId)
    .catch((error: Error) => chat.log.debug({ error }, 'could not follow the event log of an organisation'));
  return user;
}

/** What a request says of its caller. */
export interface CallerHeaders {
  readonly key: string;
  /** Normalised by `requestedHost`. */
  readonly host: string;
}

export const readCallerHeaders = ({ authorization, session, host }: Omit<Shown, 'from'>): CallerHeaders => ({
  key: session === undefined ? callerKey(authorization) : sessionCallerKey(session),
  host: requestedHost(host),
});

/** Returns a cached caller synchronously, or undefined. */
export function cachedCaller(chat: Pick<Chat, 'callers' | 'realms'>, { key, host }: CallerHeaders): User | undefined {
  const user = chat.callers.get(key);
  return user && chat.realms.cachedPlace(host) === user.realmId ? user : undefined;
}
