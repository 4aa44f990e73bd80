/** Who may see a stream, post to it, create one, or subscribe others to it. */
import { badRequest, notAuthorizedToSend } from '../faults';
import type { RealmSettings } from '../organisation/realm-settings';
import type { User, UserId } from '../users/user';
import type { Stream } from './stream';

type Viewer = Pick<User, 'role'>;

export const isAdmin = ({ role }: Viewer): boolean => role === 'admin';
export const isGuest = ({ role }: Viewer): boolean => role === 'guest';

/** Whether they may see its messages and subscribers. Guests see only streams they are subscribed to. */
export const maySee = (by: Viewer, stream: Pick<Stream, 'isPrivate'>, isSubscribed: boolean): boolean =>
  isSubscribed || (!stream.isPrivate && !isGuest(by));

/** Administrators know and manage every stream of their organisation, without reading it. */
export const mayKnow = (by: Viewer, stream: Pick<Stream, 'isPrivate'>, isSubscribed: boolean): boolean =>
  isAdmin(by) || maySee(by, stream, isSubscribed);

/** Values of create_stream_policy and invite_to_stream_policy in the wire format. */
export const POLICY = { members: 1, admins: 2, waitingPeriod: 3 } as const;

const DAY_MS = 86_400_000;

function isTrusted(by: User, policy: number, settings: RealmSettings, now: Date): boolean {
  if (isAdmin(by)) return true;
  if (isGuest(by) || policy === POLICY.admins) return false;
  if (policy === POLICY.members) return true;
  return now.getTime() - by.joinedAt.getTime() >= settings.waiting_period_threshold * DAY_MS;
}

export const mayCreateStreams = (by: User, settings: RealmSettings, now: Date): boolean =>
  isTrusted(by, settings.create_stream_policy, settings, now);

export const maySubscribeOthers = (by: User, settings: RealmSettings, now: Date): boolean =>
  isTrusted(by, settings.invite_to_stream_policy, settings, now);

/** Whether the stream and the sender alone allow posting, without any lookup. */
export const isOpenTo = (by: User, stream: Stream): boolean =>
  by.role !== 'guest' && !stream.isPrivate && !stream.isAnnouncementOnly && !stream.isArchived;

/** A bot may do what its owner may. */
export function checkMayPost(
  by: User,
  owner: User | undefined,
  stream: Stream,
  subscribers: ReadonlySet<UserId>,
): void {
  const isSubscriber = subscribers.has(by.id) || (owner !== undefined && subscribers.has(owner.id));
  if (stream.isArchived || ((stream.isPrivate || by.role === 'guest') && !isSubscriber))
    throw notAuthorizedToSend(stream.name);
  const isAdmin = by.role === 'admin' || owner?.role === 'admin';
  if (stream.isAnnouncementOnly && !isAdmin) {
    throw badRequest('Only organization administrators can send to this stream.');
  }
}
