/** Scheduled messages and reminders: the person's own, which nobody else sees. */
import { createHash } from 'node:crypto';
import type { Incoming } from '../../../kernel/http/incoming';
import { flag, jsonInteger, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { cancelReminder, editReminder, scheduleReminder } from '../../commands/scheduled/schedule-reminder';
import { cancelScheduled, editScheduled, scheduleMessage } from '../../commands/scheduled/schedule-message';
import { DONE } from '../../model/answers/envelope';
import { reminderIdAnswer, remindersAnswer, scheduledAnswer, scheduledIdAnswer } from '../../model/answers/scheduled';
import { badRequest, noSuchStreamId } from '../../model/faults';
import {
  badRecipients,
  badStreamId,
  needsRecipient,
  needsTopic,
  noSuchReminder,
  noSuchScheduled,
  noteTooLong,
  nothingScheduled,
  notInFuture,
  tooFarAway,
  tooManyReminders,
  tooManyScheduled,
} from '../../model/scheduled/scheduled-message';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import { listReminders, listScheduled } from '../../queries/scheduled/list-scheduled';
import { clientName } from '../messages/messages';
import { messageId } from '../wire-params';

const { get, post, patch, del } = routesFor<User>();

const TYPES = { direct: 'private', private: 'private', stream: 'stream', channel: 'stream' } as const;
const messageType = text
  .transform((written) => {
    if (!Object.hasOwn(TYPES, written)) throw badRequest('Invalid message type');
    return TYPES[written as keyof typeof TYPES];
  })
  .meta({ type: 'string', enum: Object.keys(TYPES) });

/** JSON: checked against the type of the message, which a change need not give. */
const recipients = text.meta({ type: 'string', description: 'JSON: the id of a stream, or a list of ids of people' });

/** Names a request that may be repeated, by what it schedules. */
function requestOf(incoming: Incoming, what: 'message' | 'reminder'): string | undefined {
  const key = incoming.header('idempotency-key');
  return key === '' ? undefined : createHash('sha256').update(`${what}:${key}`).digest('hex');
}

/** What is no number is the id of nothing. */
const rowId = text.transform((value) => (/^\d{1,15}$/.test(value) ? Number(value) : 0)).meta({ type: 'integer' });

export const scheduledRoutes = (chat: Sending) => [
  get('/scheduled_messages', {
    summary: 'Get your scheduled messages',
    answer: scheduledAnswer,
    run: ({ kernel, by }) => listScheduled(kernel.mysql, by),
  }),
  post('/scheduled_messages', {
    summary: 'Schedule a message',
    answer: scheduledIdAnswer,
    refuses: [
      notInFuture(),
      tooFarAway(),
      tooManyScheduled(),
      badStreamId(),
      badRecipients(),
      noSuchStreamId(99),
      badRequest('Invalid message type'),
    ],
    params: {
      type: messageType,
      to: recipients,
      topic: text.optional(),
      content: text,
      scheduled_delivery_timestamp: jsonInteger,
      read_by_sender: flag.optional(),
    },
    run: ({ by, params, incoming }) =>
      scheduleMessage(chat, by, {
        type: params.type,
        to: params.to,
        topic: params.topic,
        content: params.content,
        client: clientName(incoming, undefined),
        isReadBySender: params.read_by_sender,
        dueAt: params.scheduled_delivery_timestamp,
        request: requestOf(incoming, 'message'),
      }),
  }),
  patch('/scheduled_messages/:scheduled_message_id', {
    summary: 'Change a scheduled message, or its time',
    answer: DONE,
    refuses: [noSuchScheduled(), nothingScheduled(), needsRecipient(), needsTopic(), notInFuture(), tooManyScheduled()],
    params: {
      scheduled_message_id: rowId,
      type: messageType.optional(),
      to: recipients.optional(),
      topic: text.optional(),
      content: text.optional(),
      scheduled_delivery_timestamp: jsonInteger.optional(),
    },
    run: ({ by, params, incoming }) =>
      editScheduled(chat, by, params.scheduled_message_id, {
        type: params.type,
        to: params.to,
        topic: params.topic,
        content: params.content,
        client: clientName(incoming, undefined),
        dueAt: params.scheduled_delivery_timestamp,
      }),
  }),
  del('/scheduled_messages/:scheduled_message_id', {
    summary: 'Cancel a scheduled message',
    answer: DONE,
    refuses: [noSuchScheduled()],
    params: { scheduled_message_id: rowId },
    run: ({ by, params }) => cancelScheduled(chat, by, params.scheduled_message_id),
  }),
];

export const reminderRoutes = (chat: Sending) => [
  get('/reminders', {
    summary: 'Get your reminders',
    answer: remindersAnswer,
    run: ({ kernel, by }) => listReminders(kernel.mysql, by),
  }),
  post('/reminders', {
    summary: 'Be reminded of a message',
    answer: reminderIdAnswer,
    refuses: [badRequest('Invalid message(s)'), notInFuture(), noteTooLong(), tooManyReminders()],
    params: { message_id: messageId, scheduled_delivery_timestamp: jsonInteger, note: text.optional() },
    run: ({ by, params, incoming }) =>
      scheduleReminder(chat, by, {
        messageId: params.message_id,
        dueAt: params.scheduled_delivery_timestamp,
        note: params.note,
        client: clientName(incoming, undefined),
        request: requestOf(incoming, 'reminder'),
      }),
  }),
  patch('/reminders/:reminder_id', {
    summary: 'Change the time or the note of a reminder',
    answer: DONE,
    refuses: [noSuchReminder(), nothingScheduled(), notInFuture(), noteTooLong(), tooManyReminders()],
    params: { reminder_id: rowId, scheduled_delivery_timestamp: jsonInteger.optional(), note: text.optional() },
    run: ({ by, params }) =>
      editReminder(chat, by, params.reminder_id, { dueAt: params.scheduled_delivery_timestamp, note: params.note }),
  }),
  del('/reminders/:reminder_id', {
    summary: 'Cancel a reminder',
    answer: DONE,
    refuses: [noSuchReminder()],
    params: { reminder_id: rowId },
    run: ({ by, params }) => cancelReminder(chat, by, params.reminder_id),
  }),
];
