/** A message that its author wants sent at a time, or a reminder of a message. Only they and their clients see it. */
import type { Wire } from '../../../kernel/text/wire';
import type { wireReminder, wireScheduledMessage } from '../answers/scheduled';
import { coded, plain } from '../faults';
import type { RealmId } from '../organisation/realm';
import type { UserId } from '../users/user';

export interface ScheduledFields {
  readonly type: 'stream' | 'private';
  /** The id of the stream, or those of the people. */
  readonly to: readonly number[];
  /** Empty for a private message. */
  readonly topic: string;
  readonly content: string;
  readonly rendered: string;
  /** Name of the client program. */
  readonly client: string;
  readonly isReadBySender: boolean;
  /** Seconds. */
  readonly dueAt: number;
  /** Only of a reminder. */
  readonly reminder: { readonly messageId: number; readonly note: string } | null;
}

export interface ScheduledMessage extends ScheduledFields {
  readonly id: number;
  readonly realmId: RealmId;
  readonly userId: UserId;
  readonly revision: number;
  /** Why it could not be sent; null while it waits. */
  readonly error: string | null;
}

/** What the worker is told: to send this revision, or to tell somebody that theirs was not sent. */
export type ScheduledMail =
  | { readonly scheduledId: number; readonly revision: number }
  | { readonly realmId: RealmId; readonly userId: UserId; readonly content: string; readonly origin: string };

/** Of one person: messages, and as many reminders. */
export const MAX_SCHEDULED = 100;
/** The texts of these, both as written. */
export const MAX_SCHEDULED_BYTES = 1024 * 1024;
/** What the column holds. */
const MAX_TIME = 4_294_967_295;
export const MAX_NOTE_LENGTH = 1000;

export const notInFuture = () =>
  coded('invalid', 'DELIVERY_TIME_NOT_IN_FUTURE', 'Scheduled delivery time must be in the future.');
export const tooFarAway = () => plain('Scheduled delivery time is too far away.');
export const tooManyScheduled = () =>
  plain(`You have scheduled too many messages (limit: ${MAX_SCHEDULED}, 1 MiB in all)`);
export const tooManyReminders = () => plain(`You have too many reminders (limit: ${MAX_SCHEDULED}, 1 MiB in all)`);
export const noSuchScheduled = () => coded('missing', 'BAD_REQUEST', 'Scheduled message does not exist');
export const noSuchReminder = () => coded('missing', 'BAD_REQUEST', 'Reminder does not exist');
export const noteTooLong = () => plain(`Maximum reminder note length: ${MAX_NOTE_LENGTH} characters`);
export const needsRecipient = () => plain('Recipient required when updating type of scheduled message.');
export const needsTopic = () => plain('Topic required when updating scheduled message type to channel.');
export const nothingScheduled = () => plain('Nothing to change');
export const badStreamId = () => plain('Invalid data type for channel ID');
export const badRecipients = () => plain('Invalid data type for recipients');

export function checkDue(dueAt: number, nowMs: number): void {
  if (dueAt * 1000 <= nowMs) throw notInFuture();
  if (dueAt > MAX_TIME) throw tooFarAway();
}

const common = ({ content, rendered, dueAt, error }: ScheduledMessage) => ({
  content,
  rendered_content: rendered,
  scheduled_delivery_timestamp: dueAt,
  failed: error !== null,
  ...(error === null ? {} : { failure_message: error }),
});

export const wireScheduled = (message: ScheduledMessage): Wire<typeof wireScheduledMessage> => ({
  scheduled_message_id: message.id,
  ...(message.type === 'stream'
    ? { type: 'stream' as const, to: message.to[0]!, topic: message.topic }
    : { type: 'private' as const, to: [...message.to] }),
  ...common(message),
});

export const wireReminderOf = (message: ScheduledMessage): Wire<typeof wireReminder> => ({
  reminder_id: message.id,
  type: 'private',
  to: [...message.to],
  ...common(message),
  reminder_target_message_id: message.reminder!.messageId,
  note: message.reminder!.note,
});
