/** Who may see a stream, who may make one, and who may bring others into it. Who may write there: posting-policy.ts. */
import type { RealmSettings } from '../organisation/realm-settings';
import type { User } from '../users/user';
import type { Stream } from './stream';

type Viewer = Pick<User, 'role'>;

export const isAdmin = ({ role }: Viewer): boolean => role === 'admin';
export const isGuest = ({ role }: Viewer): boolean => role === 'guest';

/** Whether its messages and its hearers are for them to see. Guests see only what they were invited to. */
export const maySee = (by: Viewer, stream: Pick<Stream, 'isPrivate'>, isSubscribed: boolean): boolean =>
  isSubscribed || (!stream.isPrivate && !isGuest(by));

/** Administrators know every stream of theirs by name, and look after it, without reading it. */
export const mayKnow = (by: Viewer, stream: Pick<Stream, 'isPrivate'>, isSubscribed: boolean): boolean =>
  isAdmin(by) || maySee(by, stream, isSubscribed);

/** Values of create_stream_policy and invite_to_stream_policy, as on the wire. */
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
