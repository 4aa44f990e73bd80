/** The wire formats of texting, the same in answers and events. */
import type { Wire } from '../../../kernel/text/wire';
import type * as answers from '../answers/texting';
import type { Conversation, ConversationView, Text, TextingContact } from './conversation';
import type { OptOut } from './opt-out';

export type MessageObject = answers.WireText;
export type ConversationObject = answers.WireConversation;

export const textingContactObject = (contact: TextingContact): Wire<typeof answers.textingContact> => ({
  id: contact.id,
  company_id: contact.companyId,
  first_name: contact.firstName,
  last_name: contact.lastName,
  number: contact.number,
  created_at: contact.createdAt.toISOString(),
  updated_at: contact.updatedAt.toISOString(),
});

const campaignOf = ({ type, name }: Pick<Conversation, 'type' | 'name'>) => (type === 'campaign' ? { name } : null);

/** What a message shows besides its own row. */
export interface MessageSetting {
  readonly conversation: Pick<Conversation, 'type' | 'name' | 'fromNumber'>;
  readonly contact: TextingContact | undefined;
  readonly files: MessageObject['files'];
  readonly isRead: boolean;
}

export function messageObject(text: Text, { conversation, contact, files, isRead }: MessageSetting): MessageObject {
  return {
    id: text.id,
    company_id: text.companyId,
    conversation_id: text.conversationId,
    conversation_type: conversation.type,
    campaign_info: campaignOf(conversation),
    direction: text.direction,
    text: text.text,
    files,
    from_number: conversation.fromNumber,
    contact: contact ? textingContactObject(contact) : null,
    user_id: text.senderId,
    stamp_id: text.stampId,
    status: text.status,
    segments: text.segments,
    error: text.error,
    is_read: isRead,
    created_at: text.createdAt.toISOString(),
    updated_at: text.updatedAt.toISOString(),
  };
}

/** What a conversation shows besides its own row. */
export interface ConversationSetting {
  readonly members: readonly TextingContact[];
  readonly lastMessage: MessageObject | null;
  readonly view: ConversationView;
}

export function conversationObject(conversation: Conversation, setting: ConversationSetting): ConversationObject {
  const { members, lastMessage, view } = setting;
  const contacts = members.map(textingContactObject);
  return {
    id: conversation.id,
    company_id: conversation.companyId,
    conversation_type: conversation.type,
    name: conversation.name,
    campaign_info: campaignOf(conversation),
    from_number: conversation.fromNumber,
    contact_id: conversation.contactId,
    contactinfo: contacts[0] ?? null,
    contactsinfo: contacts,
    recipients: contacts.map(({ id }) => id),
    unread_msg_count: view.unread,
    countunreadmessages: view.unread,
    has_direct_msg: conversation.type === 'direct' && lastMessage !== null,
    has_hidden_msg: conversation.hiddenCount > 0,
    last_message_created_at: lastMessage?.created_at ?? null,
    lastmessage: lastMessage,
    last_msg: lastMessage,
    pin: view.isPinned,
    timezone: conversation.timezone,
    created_at: conversation.createdAt.toISOString(),
    updated_at: conversation.updatedAt.toISOString(),
  };
}

export const optOutObject = (optOut: OptOut): Wire<typeof answers.optOut> => ({
  id: optOut.id,
  company_id: optOut.companyId,
  from_number: optOut.ourNumber,
  number: optOut.theirNumber,
  source: optOut.source,
  created_at: optOut.createdAt.toISOString(),
});
