/** Parses polls for the fast path. A client repeats most of its previous poll, so results are cached per connection. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { readCallerHeaders, cachedCaller, type CallerHeaders } from '../../queries/accounts/find-caller';
import { readEventId, readPollQuery, type PollQuery } from './poll-query';

export interface ReadPoll {
  readonly by: User;
  readonly query: PollQuery;
}

/** A connection's last poll, raw and parsed. */
interface Remembered extends ReadPoll {
  readonly authorization: string;
  readonly host: string;
  readonly headers: CallerHeaders;
  /** The URL without the value of `last_event_id`. */
  readonly start: string;
  /** The caller cache's change counter at that time. */
  readonly changes: number;
  readonly at: number;
}

/** Longer headers are parsed on every poll, to bound the memory per connection. */
const MAX_REMEMBERED_LENGTH = 1024;
/** The user is looked up again this often, which also keeps them in the cache. */
const LOOK_AGAIN_MS = 60_000;
const LAST = 'last_event_id=';

/** Returns undefined for a caller who is not cached, or for a poll that asks for more than events. */
export function openPollReader(chat: Chat, start: string): (request: IncomingMessage) => ReadPoll | undefined {
  const remembered = new WeakMap<Socket, Remembered>();

  function readAnew({ url, headers, socket }: IncomingMessage): ReadPoll | undefined {
    const { authorization, host } = headers;
    const query = readPollQuery(url!.slice(start.length));
    if (!query || authorization === undefined || host === undefined) return undefined;
    const callerHeaders = readCallerHeaders({ authorization, host });
    const [at, { changes }] = [performance.now(), chat.callers];
    const by = callerHeaders && cachedCaller(chat, callerHeaders);
    if (!by) return undefined;
    const end = url!.indexOf(LAST) + LAST.length;
    // Written out: objects built by spread have no shared shape and are slow to read.
    const shown = { authorization, host, headers: callerHeaders, start: url!.slice(0, end), by, query, changes, at };
    const isShort = authorization.length + host.length + end <= MAX_REMEMBERED_LENGTH;
    // Parameters after the id may differ in the next poll.
    if (isShort && readEventId(url!.slice(end)) !== undefined) remembered.set(socket, shown);
    return { by, query };
  }

  const isCurrent = ({ by, headers, changes, at }: Remembered): boolean =>
    changes === chat.callers.changes &&
    performance.now() - at < LOOK_AGAIN_MS &&
    chat.callers.isFollowed(by.realmId, at) &&
    chat.realms.cachedPlace(headers.host) === by.realmId;

  return (request) => {
    const { url, headers, socket } = request;
    const last = remembered.get(socket);
    if (last?.authorization !== headers.authorization || last?.host !== headers.host) return readAnew(request);
    if (!last || !url!.startsWith(last.start) || !isCurrent(last)) return readAnew(request);
    const lastEventId = readEventId(url!.slice(last.start.length));
    if (lastEventId === undefined) return readAnew(request);
    const { queueId, dontBlock } = last.query;
    return { by: last.by, query: { queueId, lastEventId, dontBlock } };
  };
}
