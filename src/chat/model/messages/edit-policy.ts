/** Who may edit or delete which message, and until when. */
import { ensure } from '../../../kernel/fault';
import { badRequest, plain } from '../faults';
import type { RealmSettings } from '../organisation/realm-settings';
import { moderates } from '../users/role';
import type { User } from '../users/user';
import { type Message, NO_TOPIC } from './message';

/** Zulip's grace period, for edits that begin just before the limit and arrive just after it. */
const GRACE_SECONDS = 20;
/** How long users other than the author and administrators may change a message's topic. */
const COMMUNITY_SECONDS = 86_400;

export const editingDisabled = () => plain('Your organization has turned off message editing');
export const nothingToChange = () => plain('Nothing to change');
export const historyDisabled = () => plain('Message edit history is disabled in this organization');
export const alreadyDeleted = () => badRequest('Message already deleted');
const mayNotEdit = () => badRequest("You don't have permission to edit this message");
const tooLateToEdit = () => badRequest('The time limit for editing this message has passed');
const mayNotDelete = () => badRequest("You don't have permission to delete this message");
const tooLateToDelete = () => badRequest('The time limit for deleting this message has passed');

/** Who asks, under which settings, and when. */
export interface Circumstances {
  readonly by: User;
  readonly settings: RealmSettings;
  readonly now: Date;
}

type Sent = Pick<Message, 'senderId' | 'sentAt' | 'topic'>;

const ageOf = ({ sentAt }: Sent, now: Date): number => now.getTime() / 1000 - sentAt;

/** Administrators may delete any message they can see. Others may delete their own recent ones, if that is allowed. */
export function checkMayDelete(message: Sent, { by, settings, now }: Circumstances): void {
  if (by.role === 'admin') return;
  ensure(message.senderId === by.id && settings.allow_message_deleting, mayNotDelete());
  const limit = settings.message_content_delete_limit_seconds;
  ensure(limit === 0 || ageOf(message, now) <= limit, tooLateToDelete());
}

/** Content may be edited only by its author. Topics may be edited by everyone, if the organisation allows it. */
export function checkMayEdit(message: Sent, wantsContent: boolean, { by, settings, now }: Circumstances): void {
  const isSender = message.senderId === by.id;
  const isOpen = by.role === 'admin' || message.topic === NO_TOPIC;
  ensure(isSender || (!wantsContent && (isOpen || settings.allow_community_topic_editing)), mayNotEdit());
  const age = ageOf(message, now);
  const limit = settings.message_content_edit_limit_seconds;
  if (wantsContent) ensure(limit === 0 || age <= limit + GRACE_SECONDS, tooLateToEdit());
  else ensure(isSender || isOpen || moderates(by) || age <= COMMUNITY_SECONDS + GRACE_SECONDS, tooLateToEdit());
}
