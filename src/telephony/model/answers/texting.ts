/** Schemas of texting: messages, conversations, contacts, numbers and attached files. */
import { z } from 'zod';
import type { Wire } from '../../../kernel/text/wire';
import { CONVERSATION_TYPES } from '../texting/texting';
import { time } from './company';
import { file } from './files';

export const textingContact = z
  .object({
    id: z.string(),
    company_id: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    number: z.string(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'TextingContact' });
export const textingContacts = z.array(textingContact);

const campaign = z.object({ name: z.string() }).nullable();

const messageShape = {
  id: z.string(),
  company_id: z.string(),
  conversation_id: z.string(),
  conversation_type: z.enum(CONVERSATION_TYPES),
  campaign_info: campaign,
  direction: z.enum(['inbound', 'outbound']),
  text: z.string(),
  files: z
    .array(z.union([file, z.object({ id: z.string() })]))
    .meta({ description: 'Only the id, if the file was deleted' }),
  from_number: z.string(),
  contact: textingContact.nullable(),
  user_id: z.string().nullable().meta({ description: 'The sending user; null for received and automatic messages' }),
  stamp_id: z.string().nullable(),
  status: z.enum(['queued', 'sending', 'sent', 'delivered', 'failed', 'received']),
  segments: z.int(),
  error: z.object({ code: z.string(), detail: z.string() }).nullable(),
  is_read: z.boolean(),
  created_at: time,
  updated_at: time,
};

export const textMessage = z.object(messageShape).meta({ id: 'TextMessage' });
export type WireText = Wire<typeof textMessage>;
export const textMessages = z.array(textMessage);
export const sentText = z.object({
  ...messageShape,
  warnings: z.array(z.string()).optional().meta({ description: 'Only with with_warning' }),
});

export const conversation = z
  .object({
    id: z.string(),
    company_id: z.string(),
    conversation_type: z.enum(CONVERSATION_TYPES),
    name: z.string(),
    campaign_info: campaign,
    from_number: z.string(),
    contact_id: z.string(),
    contactinfo: textingContact.nullable(),
    contactsinfo: textingContacts,
    recipients: z.array(z.string()),
    unread_msg_count: z.int(),
    countunreadmessages: z.int(),
    has_direct_msg: z.boolean(),
    has_hidden_msg: z.boolean(),
    last_message_created_at: time.nullable(),
    lastmessage: textMessage.nullable(),
    last_msg: textMessage.nullable(),
    pin: z.boolean(),
    timezone: z.string(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Conversation' });
export type WireConversation = Wire<typeof conversation>;
export const conversations = z.array(conversation);

export const deletedText = z.object({ id: z.string(), conversation_id: z.string() }).meta({ id: 'DeletedTextMessage' });
export const deletedTexts = z.array(deletedText);

const readShape = { conversation_id: z.string(), messagesIds: z.array(z.string()), timezone: z.string() };
export const readTexts = z.object(readShape);
export const readReply = z.object({ ...readShape, unread_msg_count: z.int() });

export const textNumbers = z.array(
  z
    .object({ id: z.string(), number: z.string(), name: z.string(), company_id: z.string(), created_at: time })
    .meta({ id: 'TextNumber' }),
);

export const optOut = z
  .object({
    id: z.string(),
    company_id: z.string(),
    from_number: z.string(),
    number: z.string(),
    source: z
      .enum(['text', 'user'])
      .meta({ description: '`text`: the recipient opted out by text; `user`: a user entered it' }),
    created_at: time,
  })
  .meta({ id: 'OptOut' });
export const optOuts = z.array(optOut);
