/** Conversations of a company's numbers with people outside, and the texts in them. */
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
  /** Of a group or a campaign. */
  readonly name: string;
  readonly fromNumber: E164;
  /** The first member. */
  readonly contactId: TextingContactId;
  /** Of the user who texted last, or began it. */
  readonly timezone: string;
  /** How many texts it ever had: the number of the last one. */
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
  /** Its place in the conversation. */
  readonly seq: number;
  /** Its place among what came in; null for what was sent. */
  readonly inboundSeq: number | null;
  readonly direction: Direction;
  readonly text: string;
  readonly status: TextStatus;
  readonly segments: number;
  readonly error: SendError | null;
  /** Null for what came in, or was answered automatically. */
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

/** Clients and carriers agree on these. */
export const FEWEST_MEMBERS = 2;
export const MOST_MEMBERS = 10;
export const LONGEST_TEXT = 1600;
export const MOST_FILES = 10;

/** Where nobody said. */
export const DEFAULT_TIMEZONE = 'UTC';
