/** Who may move a message to another stream, and until when. */
import { ensure } from '../../../kernel/fault';
import { badRequest } from '../faults';
import { moderates } from '../users/role';
import type { Circumstances } from './edit-policy';
import type { Message } from './message';

/** Zulip's default. */
const WEEK_SECONDS = 7 * 86_400;

/** More would hold readers and senders up for too long. */
export const MAX_MOVED = 20_000;

export const mayNotMove = () => badRequest("You don't have permission to move this message");
export const tooLateToMove = () => badRequest("The time limit for editing this message's stream has passed");
export const privateStaysPrivate = () => badRequest('Private messages cannot be moved to streams.');
export const contentStays = () => badRequest('Cannot change message content while changing stream');
export const tooManyToMove = () => badRequest(`Too many messages to move at once (limit: ${MAX_MOVED})`);

/** Administrators always. Authors, and where topics may be edited by all also other members, within a week; moderators at any time. */
export function checkMayMove(
  message: Pick<Message, 'senderId' | 'sentAt'>,
  { by, settings, now }: Circumstances,
): void {
  if (by.role === 'admin') return;
  const isAllowed = message.senderId === by.id || settings.allow_community_topic_editing;
  ensure(by.role !== 'guest' && isAllowed, mayNotMove());
  if (moderates(by)) return;
  ensure(now.getTime() / 1000 - message.sentAt <= WEEK_SECONDS, tooLateToMove());
}
