/** Schemas of scheduled messages and reminders, in answers and events. */
import { z } from 'zod';

const common = {
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int().meta({ description: 'Seconds' }),
  failed: z.boolean().meta({ description: 'Whether the server tried to send it, and could not' }),
  failure_message: z.string().optional().meta({ description: 'Why it could not be sent' }),
};

export const wireScheduledMessage = z
  .object({
    scheduled_message_id: z.int(),
    type: z.enum(['stream', 'private']),
    to: z
      .union([z.int(), z.array(z.int())])
      .meta({ description: 'The id of the stream, or those of the people of a private message' }),
    topic: z.string().optional().meta({ description: 'Only of messages to streams' }),
    ...common,
  })
  .meta({ id: 'ScheduledMessage' });

export const wireReminder = z
  .object({
    reminder_id: z.int(),
    type: z.literal('private'),
    to: z.array(z.int()),
    ...common,
    reminder_target_message_id: z.int(),
    note: z.string().meta({ description: 'What the person wrote to themselves; empty for nothing' }),
  })
  .meta({ id: 'Reminder' });

export const scheduledAnswer = z.object({ scheduled_messages: z.array(wireScheduledMessage) });
export const scheduledIdAnswer = z.object({ scheduled_message_id: z.int() });
export const remindersAnswer = z.object({ reminders: z.array(wireReminder) });
export const reminderIdAnswer = z.object({ reminder_id: z.int() });
