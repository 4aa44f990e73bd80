/** Texting: numbers, texts on their way, and the order of their states. */
import type { CompanyId } from '../companies/company';

declare const e164: unique symbol;
/** A telephone number as +, country code and the rest: the only form that is stored and compared. */
export type E164 = string & { readonly [e164]: true };

declare const conversation: unique symbol;
export type ConversationId = string & { readonly [conversation]: true };
declare const textingContact: unique symbol;
/** Somebody outside the company who is texted with. */
export type TextingContactId = string & { readonly [textingContact]: true };
declare const text: unique symbol;
export type TextId = string & { readonly [text]: true };
declare const send: unique symbol;
/** One text on its way to one number: a text to a group has one for each member. */
export type SendId = string & { readonly [send]: true };
declare const account: unique symbol;
/** A company's account with a carrier. */
export type CarrierAccountId = string & { readonly [account]: true };

export const CONVERSATION_TYPES = ['direct', 'group', 'campaign'] as const;
export type ConversationType = (typeof CONVERSATION_TYPES)[number];
export type Direction = 'inbound' | 'outbound';

/** Of what is sent: queued → sending → sent → delivered or failed. What comes in is received, and stays so. */
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

/** A status is only ever followed by one of a higher rank: receipts come late, twice and out of order. */
export const rankOf = (status: TextStatus): number => RANKS[status];
export const mayFollow = (before: TextStatus, after: TextStatus): boolean => rankOf(after) > rankOf(before);

export const isOver = (status: SendStatus): boolean => status === 'delivered' || status === 'failed';

/** How a text to several stands: as its slowest copy that did not fail; failed once all have. */
export function statusOfAll(statuses: readonly SendStatus[]): SendStatus {
  const hopeful = statuses.filter((status) => status !== 'failed');
  if (hopeful.length === 0) return statuses.length === 0 ? 'queued' : 'failed';
  return hopeful.reduce((slowest, each) => (rankOf(each) < rankOf(slowest) ? each : slowest));
}

/** A picture or another file that came with a text, where the carrier keeps it. */
export interface InboundMedia {
  readonly url: string;
  readonly contentType: string;
  /** In bytes; null where the carrier does not say. */
  readonly size: number | null;
}

/** A text from outside, as a carrier told us of it. Numbers are as the carrier wrote them. */
export interface InboundText {
  readonly carrierAccountId: CarrierAccountId;
  /** The carrier's id of the text: telling of it again changes nothing. */
  readonly carrierMessageId: string;
  readonly from: string;
  /** Our number. */
  readonly to: string;
  readonly text: string;
  readonly media: readonly InboundMedia[];
  readonly receivedAt: Date;
}

/** Why a text did not go. */
export interface SendError {
  /** The carrier's own code. */
  readonly code: string;
  readonly detail: string;
}

/** Why we sent no further what no carrier had taken yet. */
export const CALLED_OFF = { optedOut: 'OPTED_OUT', deleted: 'DELETED' } as const;
const CODES: readonly string[] = Object.values(CALLED_OFF);

/** Called off by us, which a carrier may still contradict: it may have been taking it just then. */
export const isCalledOff = (status: SendStatus, errorCode: string): boolean =>
  status === 'failed' && CODES.includes(errorCode);

/** What a carrier says became of a text, in answer to sending it or later by itself. */
export interface SendOutcome {
  readonly carrierMessageId: string;
  readonly status: Exclude<SendStatus, 'queued'>;
  /** How many parts the carrier made of it, where it says so. */
  readonly segments?: number | undefined;
  readonly error?: SendError | undefined;
}

export interface Receipt extends SendOutcome {
  readonly carrierAccountId: CarrierAccountId;
  readonly at: Date;
}

/** What waits for a carrier: one text for one number. */
export interface TextToSend {
  readonly sendId: SendId;
}

/** One text for one number, as a carrier is to send it. */
export interface OutboundText {
  readonly id: SendId;
  readonly textId: TextId;
  readonly companyId: CompanyId;
  readonly conversationId: ConversationId;
  readonly carrierAccountId: CarrierAccountId;
  readonly from: E164;
  readonly to: E164;
  readonly text: string;
  /** Ids of files that go with it. */
  readonly fileIds: readonly string[];
}
