/** The interface of a carrier of texts, and the ways in which a send can fail. */
import type { CarrierAccount } from '../model/texting/carrier-account';
import type { InboundText, OutboundText, Receipt, SendId } from '../model/texting/texting';

/** A carrier's webhook call as it arrived. */
export interface CarrierCall {
  /** The URL as the carrier called it, before any proxy rewrote it: some carriers sign it. */
  readonly url: string;
  readonly body: string;
  readonly header: (name: string) => string;
}

/** An authenticated call, stored until it is processed. */
export interface KeptCall {
  readonly url: string;
  readonly body: string;
  /** When it arrived. */
  readonly at: Date;
}

export type CarrierNews =
  | { readonly kind: 'text'; readonly text: Omit<InboundText, 'carrierAccountId'> }
  | {
      readonly kind: 'receipt';
      readonly receipt: Omit<Receipt, 'carrierAccountId'>;
      /** Our own id of the send, if the carrier returns it. It identifies the text if the carrier's answer was lost. */
      readonly sendId?: SendId | undefined;
    };

/** A text with the URLs from which the carrier fetches its files. */
export interface CarrierText extends OutboundText {
  readonly mediaUrls: readonly string[];
  /** The URL for receipts. */
  readonly webhookUrl: string;
}

/** The carrier accepted the text. Receipts report the rest. */
export interface Sent {
  readonly carrierMessageId: string;
  readonly segments?: number | undefined;
  /** Calls that the carrier makes to us because of this text. Only the in-process simulated carrier returns any. */
  readonly calls?: readonly { readonly id: string; readonly body: string }[];
}

export interface Carrier {
  readonly defaultApiUrl: string;
  /** The credentials that an account must have. */
  readonly needs: readonly string[];
  /** Whether the carrier deduplicates repeated sends. If not, a send with unknown outcome is not repeated. */
  readonly isRepeatable: boolean;
  send(account: CarrierAccount, text: CarrierText, deadlineMs: number): Promise<Sent>;
  /** Whether the account's carrier made this call, and recently. */
  isGenuine(account: CarrierAccount, call: CarrierCall, now: Date): boolean;
  /** The carrier's id of the event, by which calls are deduplicated. Undefined if there is none. */
  eventId(call: Pick<KeptCall, 'url' | 'body'>): string | undefined;
  /** Throws CarrierNonsense if the call does not match the carrier's documentation. */
  read(call: KeptCall): CarrierNews[];
}

/** The carrier sent something that its documentation does not describe. */
export class CarrierNonsense extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CarrierNonsense';
  }
}

export type CarrierTrouble =
  /** The carrier refused, and would refuse again. */
  | 'refused'
  /** The text was not sent or not accepted, and may be retried. */
  | 'later'
  /** The outcome is unknown. */
  | 'unknown';

export class CarrierError extends Error {
  readonly trouble: CarrierTrouble;
  /** The carrier's own code, if it sent one. */
  readonly code: string;

  constructor(trouble: CarrierTrouble, code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CarrierError';
    this.trouble = trouble;
    this.code = code;
  }
}

/** Refused because of our credentials: until somebody corrects them, every send will end so. */
export class CarrierAccessRefused extends CarrierError {}
