/** Who may see a stream, post to it, create one, or subscribe others to it; and what the organisation leaves to whom. */
import { badRequest, notAuthorizedToSend } from '../faults';
import type { RealmSettings } from '../organisation/realm-settings';
import { moderates } from '../users/role';
import type { User, UserId } from '../users/user';
import { isPostPolicy, POST_POLICY, type PostPolicy, type Stream } from './stream';
import { invalidPostPolicy } from './stream-faults';

type Viewer = Pick<User, 'role'>;

export const isAdmin = ({ role }: Viewer): boolean => role === 'admin';
export const isGuest = ({ role }: Viewer): boolean => role === 'guest';

/** Whether they may see its messages and subscribers. Guests see only streams they are subscribed to. */
export const maySee = (by: Viewer, stream: Pick<Stream, 'isPrivate'>, isSubscribed: boolean): boolean =>
  isSubscribed || (!stream.isPrivate && !isGuest(by));

/** Administrators know and manage every stream of their organisation, without reading it. */
export const mayKnow = (by: Viewer, stream: Pick<Stream, 'isPrivate'>, isSubscribed: boolean): boolean =>
  isAdmin(by) || maySee(by, stream, isSubscribed);

/** Values in the wire format of the settings that say who may do something. Only invitations can be left to nobody. */
export const POLICY = { members: 1, admins: 2, waitingPeriod: 3, moderators: 4, nobody: 6 } as const;

const DAY_MS = 86_400_000;

function isTrusted(by: User, policy: number, settings: RealmSettings, now: Date): boolean {
  if (policy === POLICY.nobody) return false;
  if (isAdmin(by)) return true;
  if (isGuest(by) || policy === POLICY.admins) return false;
  if (policy === POLICY.members || moderates(by)) return true;
  if (policy === POLICY.moderators) return false;
  return now.getTime() - by.joinedAt.getTime() >= settings.waiting_period_threshold * DAY_MS;
}

export const mayCreateStreams = (by: User, settings: RealmSettings, now: Date): boolean =>
  isTrusted(by, settings.create_stream_policy, settings, now);

export const maySubscribeOthers = (by: User, settings: RealmSettings, now: Date): boolean =>
  isTrusted(by, settings.invite_to_stream_policy, settings, now);

export const mayEditGroups = (by: User, settings: RealmSettings, now: Date): boolean =>
  isTrusted(by, settings.user_group_edit_policy, settings, now);

export const mayInvite = (by: User, settings: RealmSettings, now: Date): boolean =>
  isTrusted(by, settings.invite_to_realm_policy, settings, now);

/** Whether the stream and the sender alone allow posting, without any lookup. */
export const isOpenTo = (by: User, stream: Stream): boolean =>
  by.role !== 'guest' && !stream.isPrivate && stream.postPolicy === POST_POLICY.everybody && !stream.isArchived;

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
  checkRank(owner ? [by, owner] : [by], stream);
}

function checkRank(senders: readonly User[], { isAnnouncementOnly, postPolicy }: Stream): void {
  if (isAnnouncementOnly && !senders.some(isAdmin)) {
    throw badRequest('Only organization administrators can send to this stream.');
  }
  if (postPolicy === POST_POLICY.moderators && !senders.some(moderates)) {
    throw badRequest('Only organization administrators and moderators can send to this stream.');
  }
}

interface ChosenPolicy {
  readonly isAnnouncementOnly?: boolean | undefined;
  readonly postPolicy?: number | undefined;
}

/** Clients of 2.1 know only everybody and administrators. */
export function policyIn({ isAnnouncementOnly, postPolicy }: ChosenPolicy): PostPolicy | undefined {
  if (postPolicy !== undefined) {
    if (!isPostPolicy(postPolicy)) throw invalidPostPolicy();
    return postPolicy;
  }
  if (isAnnouncementOnly === undefined) return undefined;
  return isAnnouncementOnly ? POST_POLICY.admins : POST_POLICY.everybody;
}

/** Moderators are never newcomers. */
export const isNewcomer = (user: User, settings: RealmSettings, now: Date): boolean =>
  !moderates(user) && now.getTime() - user.joinedAt.getTime() < settings.waiting_period_threshold * DAY_MS;

export const guestsStayOut = () => badRequest('Guests cannot send to this stream.');
export const newcomersStayOut = () => badRequest('New members cannot send to this stream.');
