/** Basic types of texting: ids, numbers, send states and their order. */
import type { CompanyId } from '../companies/company';

declare const e164: unique symbol;
/** A telephone number as + and country code. The only form that is stored and compared. */
export type E164 = string & { readonly [e164]: true };

declare const conversation: unique symbol;
export type ConversationId = string & { readonly [conversation]: true };
declare const textingContact: unique symbol;
/** A person outside the company. */
export type TextingContactId = string & { readonly [textingContact]: true };
declare const text: unique symbol;
export type TextId = string & { readonly [text]: true };
declare const send: unique symbol;
/** One copy of a text for one number. A text to a group has one per member. */
export type SendId = string & { readonly [send]: true };
declare const account: unique symbol;
/** A company's account with a carrier. */
export type CarrierAccountId = string & { readonly [account]: true };

export const CONVERSATION_TYPES = ['direct', 'group', 'campaign'] as const;
export type ConversationType = (typeof CONVERSATION_TYPES)[number];
export type Direction = 'inbound' | 'outbound';

/** Outbound: queued → sending → sent → delivered or failed. Inbound texts are always received. */
export type SendStatus = 'queued' | 'sending' | 'sent' | 'delivered' | 'failed';
export type TextStatus = SendStatus | 'received';

const RANKS: Readonly<Record<TextStatus, number>> = {
  queued: 0,
  sending: 1,
  sent: 2,
  delivered: 3,
  failed: 3,
  received: 3,
};

/** A status only moves to a higher rank, because receipts arrive late, repeated and out of order. */
export const rankOf = (status: TextStatus): number => RANKS[status];
export const mayFollow = (before: TextStatus, after: TextStatus): boolean => rankOf(after) > rankOf(before);

export const isOver = (status: SendStatus): boolean => status === 'delivered' || status === 'failed';

/** The status of a text to several numbers: the slowest copy that did not fail, or failed if all did. */
export function statusOfAll(statuses: readonly SendStatus[]): SendStatus {
  const hopeful = statuses.filter((status) => status !== 'failed');
  if (hopeful.length === 0) return statuses.length === 0 ? 'queued' : 'failed';
  return hopeful.reduce((slowest, each) => (rankOf(each) < rankOf(slowest) ? each : slowest));
}

/** An attached file that the carrier keeps. */
export interface InboundMedia {
  readonly url: string;
  readonly contentType: string;
  /** In bytes; null if the carrier does not say. */
  readonly size: number | null;
}

/** An inbound text as a carrier reports it. Numbers are as the carrier wrote them. */
export interface InboundText {
  readonly carrierAccountId: CarrierAccountId;
  /** The carrier's id of the text, by which repeats are dropped. */
  readonly carrierMessageId: string;
  readonly from: string;
  /** Our number. */
  readonly to: string;
  readonly text: string;
  readonly media: readonly InboundMedia[];
  readonly receivedAt: Date;
}

/** Why a text was not sent. */
export interface SendError {
  /** The carrier's own code. */
  readonly code: string;
  readonly detail: string;
}

/** Why we cancelled a text that no carrier had accepted yet. */
export const CALLED_OFF = { optedOut: 'OPTED_OUT', deleted: 'DELETED' } as const;
const CODES: readonly string[] = Object.values(CALLED_OFF);

/** Cancelled by us. The carrier may still report that it had accepted the text at that moment. */
export const isCalledOff = (status: SendStatus, errorCode: string): boolean =>
  status === 'failed' && CODES.includes(errorCode);

/** A carrier's report about a text, in its answer or in a receipt. */
export interface SendOutcome {
  readonly carrierMessageId: string;
  readonly status: Exclude<SendStatus, 'queued'>;
  /** How many segments the carrier counted, if it says. */
  readonly segments?: number | undefined;
  readonly error?: SendError | undefined;
}

export interface Receipt extends SendOutcome {
  readonly carrierAccountId: CarrierAccountId;
  readonly at: Date;
}

/** The mail body of a text to send: one copy for one number. */
export interface TextToSend {
  readonly sendId: SendId;
}

/** One copy of a text for one number, as the carrier gets it. */
export interface OutboundText {
  readonly id: SendId;
  readonly textId: TextId;
  readonly companyId: CompanyId;
  readonly conversationId: ConversationId;
  readonly carrierAccountId: CarrierAccountId;
  readonly from: E164;
  readonly to: E164;
  readonly text: string;
  /** The ids of its files. */
  readonly fileIds: readonly string[];
}
