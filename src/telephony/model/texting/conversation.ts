/** Conversations of a company's numbers with people outside, and their texts. */
import type { CompanyId } from '../companies/company';
import type { ContactId } from '../contacts/contact';
import type {
  ConversationId,
  ConversationType,
  Direction,
  E164,
  SendError,
  TextId,
  TextingContactId,
  TextStatus,
} from './texting';

export interface TextingContact {
  readonly id: TextingContactId;
  readonly companyId: CompanyId;
  readonly number: E164;
  readonly firstName: string;
  readonly lastName: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface Conversation {
  readonly id: ConversationId;
  readonly companyId: CompanyId;
  readonly type: ConversationType;
  /** For groups and campaigns. */
  readonly name: string;
  readonly fromNumber: E164;
  /** The first member. */
  readonly contactId: TextingContactId;
  /** The timezone of the user who texted last, or who created the conversation. */
  readonly timezone: string;
  /** The sequence number of the last text; deleted texts count too. */
  readonly lastSeq: number;
  readonly inboundCount: number;
  readonly hiddenCount: number;
  readonly lastTextId: TextId | null;
  readonly lastActivityAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface Text {
  readonly id: TextId;
  readonly companyId: CompanyId;
  readonly conversationId: ConversationId;
  /** Its position in the conversation. */
  readonly seq: number;
  /** Its position among the inbound texts; null for outbound texts. */
  readonly inboundSeq: number | null;
  readonly direction: Direction;
  readonly text: string;
  readonly status: TextStatus;
  readonly segments: number;
  readonly error: SendError | null;
  /** Null for inbound texts and automatic answers. */
  readonly senderId: ContactId | null;
  readonly stampId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** How a conversation looks to one user. */
export interface ConversationView {
  readonly unread: number;
  readonly isPinned: boolean;
}

export const unseenView: ConversationView = { unread: 0, isPinned: false };

/** Limits that clients and carriers share. */
export const MIN_MEMBERS = 2;
export const MAX_MEMBERS = 10;
export const MAX_TEXT_LENGTH = 1600;
export const MAX_FILES = 10;

/** The default if nobody set one. */
export const DEFAULT_TIMEZONE = 'UTC';
