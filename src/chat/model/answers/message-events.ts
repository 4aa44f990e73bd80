/** Schemas of message events. Every event also has an id in its queue, which events.ts adds. */
import { z } from 'zod';
import { newMessage } from './messages';

const ids = z.array(z.int());

const message = z.object({
  type: z.literal('message'),
  message: newMessage,
  flags: z.array(z.string()),
  local_message_id: z.string().optional().meta({ description: 'The local id that the sending client chose' }),
});

/** A change of content, topic or both; for private messages content only; or only a new rendering. */
const updateMessage = z.object({
  type: z.literal('update_message'),
  user_id: z.int().optional().meta({ description: 'The user who edited it; absent if no user did' }),
  sender: z.string(),
  message_id: z.int(),
  message_ids: ids,
  edit_timestamp: z.int().optional(),
  rendering_only: z
    .literal(true)
    .optional()
    .meta({ description: 'True if no user edited it and rendered_content only gained previews of linked pages' }),
  flags: z.array(z.string()),
  stream_name: z.string().optional(),
  stream_id: z.int().optional(),
  propagate_mode: z.enum(['change_one', 'change_later', 'change_all']).optional(),
  orig_subject: z.string().optional(),
  subject: z.string().optional(),
  subject_links: z.array(z.string()).optional(),
  orig_content: z.string().optional(),
  orig_rendered_content: z.string().optional(),
  prev_rendered_content_version: z.int().optional(),
  content: z.string().optional(),
  rendered_content: z.string().optional(),
  is_me_message: z.boolean().optional(),
  prior_mention_user_ids: ids.optional(),
  mention_user_ids: ids.optional(),
  push_notify_user_ids: ids.optional(),
  stream_push_user_ids: ids.optional(),
  stream_email_user_ids: ids.optional(),
  wildcard_mention_user_ids: ids.optional(),
  presence_idle_user_ids: ids.optional(),
});

const updateFlags = z.object({
  type: z.literal('update_message_flags'),
  operation: z.enum(['add', 'remove']),
  flag: z.string(),
  messages: ids,
  all: z.boolean(),
});

const deleteMessage = z.object({
  type: z.literal('delete_message'),
  message_id: z.int(),
  sender: z.string(),
  sender_id: z.int(),
  message_type: z.enum(['stream', 'private']),
  recipient_id: z.int().optional(),
  stream_id: z.int().optional(),
  topic: z.string().optional(),
});

const person = z.object({ user_id: z.int(), email: z.string() });

const reaction = z.object({
  type: z.literal('reaction'),
  op: z.enum(['add', 'remove']),
  message_id: z.int(),
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.string(),
  user: person.extend({ full_name: z.string() }),
});

const submessage = z.object({
  type: z.literal('submessage'),
  msg_type: z.string(),
  message_id: z.int(),
  submessage_id: z.int(),
  sender_id: z.int(),
  content: z.string().meta({ description: 'JSON' }),
});

const typing = z.object({
  type: z.literal('typing'),
  op: z.enum(['start', 'stop']),
  sender: person,
  recipients: z.array(person),
});

export const messageEvents = {
  MessageEvent: message,
  UpdateMessageEvent: updateMessage,
  UpdateMessageFlagsEvent: updateFlags,
  DeleteMessageEvent: deleteMessage,
  ReactionEvent: reaction,
  SubmessageEvent: submessage,
  TypingEvent: typing,
};
