/** Types of the texting API, with only the fields that the portal uses. */

export interface TextingContact {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly number: string;
}

export interface TextFile {
  readonly id: string;
  readonly name?: string;
  readonly mimetype?: string;
}

export interface TextMessage {
  readonly id: string;
  readonly conversation_id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly text: string;
  readonly files: readonly TextFile[];
  readonly contact: TextingContact | null;
  readonly user_id: string | null;
  readonly stamp_id: string | null;
  readonly status: 'queued' | 'sending' | 'sent' | 'delivered' | 'failed' | 'received';
  readonly error: { readonly detail: string } | null;
  readonly is_read: boolean;
  readonly created_at: string;
}

export interface Conversation {
  readonly id: string;
  readonly name: string;
  readonly from_number: string;
  readonly contactsinfo: readonly TextingContact[];
  readonly unread_msg_count: number;
  readonly lastmessage: TextMessage | null;
  readonly updated_at: string;
}

export const isUnread = ({ direction, is_read: isRead }: TextMessage): boolean => direction === 'inbound' && !isRead;

/** A message that the server does not know yet is named by its stamp. */
export const isOnItsWay = ({ id, stamp_id: stamp }: TextMessage): boolean => id === stamp;

export const contactName = ({ first_name, last_name, number }: TextingContact): string =>
  `${first_name} ${last_name}`.trim() || number;

export const titleOf = ({ name, contactsinfo }: Pick<Conversation, 'name' | 'contactsinfo'>): string =>
  name || contactsinfo.map(contactName).join(', ');

export const lastActivity = ({ lastmessage, updated_at }: Conversation): string =>
  lastmessage?.created_at ?? updated_at;
