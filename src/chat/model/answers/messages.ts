/** Schemas of messages, and of responses about them. */
import { z } from 'zod';

export const emoji = { emoji_name: z.string(), emoji_code: z.string(), reaction_type: z.string() };

export const reaction = z
  .object({
    ...emoji,
    user: z.object({ id: z.int(), email: z.string(), full_name: z.string() }),
    user_id: z.int().optional(),
  })
  .meta({ id: 'Reaction' });

export const submessage = z
  .object({
    id: z.int(),
    message_id: z.int(),
    sender_id: z.int(),
    msg_type: z.string(),
    content: z.string().meta({ description: 'JSON' }),
  })
  .meta({ id: 'Submessage', description: 'A part of a poll or a task list' });

export const recipient = z
  .object({
    id: z.int(),
    email: z.string(),
    full_name: z.string(),
    short_name: z.string(),
    is_mirror_dummy: z.boolean(),
  })
  .meta({ id: 'MessageRecipient' });

const topicLink = z.object({ text: z.string(), url: z.string() });

/** All fields but id, content, content_type and avatar_url, which depend on the reader. */
export const messageFields = z.object({
  type: z.enum(['stream', 'private']),
  sender_id: z.int(),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_short_name: z.string(),
  sender_realm_str: z.string(),
  recipient_id: z.int(),
  stream_id: z.int().optional().meta({ description: 'Only for a message to a stream' }),
  display_recipient: z
    .union([z.string(), z.array(recipient)])
    .meta({ description: 'The name of the stream, or the participants of a private conversation' }),
  subject: z.string().meta({ description: 'The topic' }),
  subject_links: z.array(z.string()),
  topic_links: z.array(topicLink).optional(),
  client: z.string(),
  is_me_message: z.boolean(),
  reactions: z.array(reaction),
  submessages: z.array(submessage),
  timestamp: z.int().meta({ description: 'Seconds since 1970' }),
});

const readShape = {
  id: z.int(),
  content: z.string(),
  content_type: z.enum(['text/html', 'text/x-markdown']),
  avatar_url: z.string().nullable().meta({ description: 'Null if the client computes it' }),
};

export const edit = z
  .object({
    user_id: z.int(),
    timestamp: z.int(),
    prev_subject: z.string().optional(),
    prev_topic: z.string().optional(),
    topic: z.string().optional(),
    prev_stream: z.int().optional(),
    stream: z.int().optional(),
    prev_content: z.string().optional(),
    prev_rendered_content: z.string().optional(),
  })
  .meta({ id: 'MessageEdit' });

/** A message as one reader gets it. */
export const message = messageFields
  .extend({
    ...readShape,
    flags: z.array(z.string()),
    last_edit_timestamp: z.int().optional(),
    edit_history: z.array(edit).optional(),
    match_content: z.string().optional().meta({ description: 'With the search terms highlighted' }),
    match_subject: z.string().optional(),
  })
  .meta({ id: 'Message' });

/** A new message, without reactions or edits. The flags are sent beside it. */
export const newMessage = messageFields.extend(readShape).meta({ id: 'NewMessage' });

export const messagesAnswer = z.object({
  anchor: z.int(),
  found_anchor: z.boolean(),
  found_newest: z.boolean(),
  found_oldest: z.boolean(),
  history_limited: z.boolean(),
  messages: z.array(message),
});

export const sentAnswer = z.object({ id: z.int() });
/** The message itself is for today's clients; those of 2.1 get its source alone. */
export const rawAnswer = z.object({ raw_content: z.string(), message: message.optional() });
export const renderedAnswer = z.object({ rendered: z.string() });
export const flagsAnswer = z.object({ messages: z.array(z.int()) });
export const narrowFlagsAnswer = z.object({
  processed_count: z.int(),
  updated_count: z.int(),
  first_processed_id: z.int().nullable(),
  last_processed_id: z.int().nullable(),
  found_oldest: z.boolean(),
  found_newest: z.boolean(),
});

const match = z.object({ match_content: z.string(), match_subject: z.string() });
export const matchesAnswer = z.object({
  messages: z.record(z.string(), match).meta({ description: 'By message id' }),
});

export const snapshot = z
  .object({
    topic: z.string(),
    content: z.string(),
    rendered_content: z.string(),
    timestamp: z.int(),
    user_id: z.int(),
    prev_topic: z.string().optional(),
    prev_stream: z.int().optional(),
    stream: z.int().optional(),
    prev_content: z.string().optional(),
    prev_rendered_content: z.string().optional(),
    content_html_diff: z.string().optional(),
  })
  .meta({ id: 'MessageSnapshot' });
/** Who has read a message. */
export const readersAnswer = z.object({ user_ids: z.array(z.int()) });

export const historyAnswer = z.object({ message_history: z.array(snapshot) });

/** The owner of the API key, if the integration asks for it; otherwise empty. */
export const deliveryAnswer = z.object({ full_name: z.string(), email: z.string(), id: z.int() }).partial();
