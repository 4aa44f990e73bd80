/** Who may post where. */
import { badRequest, notAuthorizedToSend } from '../faults';
import type { Stream } from '../streams/stream';
import type { User, UserId } from '../users/user';

/** Whether the stream and the sender alone allow posting, without any lookup. */
export const isOpenTo = (by: User, stream: Stream): boolean =>
  by.role !== 'guest' && !stream.isPrivate && !stream.isAnnouncementOnly;

/** A bot may do what its owner may. */
export function checkMayPost(
  by: User,
  owner: User | undefined,
  stream: Stream,
  subscribers: ReadonlySet<UserId>,
): void {
  const isSubscriber = subscribers.has(by.id) || (owner !== undefined && subscribers.has(owner.id));
  if ((stream.isPrivate || by.role === 'guest') && !isSubscriber) throw notAuthorizedToSend(stream.name);
  const isAdmin = by.role === 'admin' || owner?.role === 'admin';
  if (stream.isAnnouncementOnly && !isAdmin) {
    throw badRequest('Only organization administrators can send to this stream.');
  }
}
