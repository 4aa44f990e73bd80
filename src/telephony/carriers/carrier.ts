/** What every carrier of texts can do for us, and the ways in which handing it a text fails. */
import type { CarrierAccount } from '../model/texting/carrier-account';
import type { InboundText, OutboundText, Receipt, SendId } from '../model/texting/texting';

/** A call of a carrier, as it came over the wire. */
export interface CarrierCall {
  /** As the carrier wrote it, not as a proxy did: some sign it. */
  readonly url: string;
  readonly body: string;
  readonly header: (name: string) => string;
}

/** A call whose sender was checked, as it is kept until it is read. */
export interface KeptCall {
  readonly url: string;
  readonly body: string;
  /** When it came. */
  readonly at: Date;
}

export type CarrierNews =
  | { readonly kind: 'text'; readonly text: Omit<InboundText, 'carrierAccountId'> }
  | {
      readonly kind: 'receipt';
      readonly receipt: Omit<Receipt, 'carrierAccountId'>;
      /** Our own name for what was sent, where the carrier gives it back: it helps when its answer was lost. */
      readonly sendId?: SendId | undefined;
    };

/** A text with addresses from which the carrier fetches its files. */
export interface CarrierText extends OutboundText {
  readonly mediaUrls: readonly string[];
  /** Where receipts go. */
  readonly webhookUrl: string;
}

/** The carrier has taken it; receipts tell the rest. */
export interface Sent {
  readonly carrierMessageId: string;
  readonly segments?: number | undefined;
  /** Calls it makes to us because of this text: only a carrier that lives inside us has to name them. */
  readonly calls?: readonly { readonly id: string; readonly body: string }[];
}

export interface Carrier {
  readonly defaultApiUrl: string;
  /** Which credentials an account must have. */
  readonly needs: readonly string[];
  /** Whether the same text given twice is sent once. Else nothing is given twice whose outcome is not known. */
  readonly isRepeatable: boolean;
  send(account: CarrierAccount, text: CarrierText, deadlineMs: number): Promise<Sent>;
  /** Whether the account's carrier made this call, and lately. */
  isGenuine(account: CarrierAccount, call: CarrierCall, now: Date): boolean;
  /** What makes two calls the same: the carrier's own name for the event. Undefined where it cannot be told. */
  eventId(call: Pick<KeptCall, 'url' | 'body'>): string | undefined;
  /** Throws CarrierNonsense when it is not what the carrier's documents say. */
  read(call: KeptCall): CarrierNews[];
}

/** The carrier said something that its documents do not say. */
export class CarrierNonsense extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CarrierNonsense';
  }
}

export type CarrierTrouble =
  /** It said no: it will say so again. */
  | 'refused'
  /** It was not given, or not taken: later it may be. */
  | 'later'
  /** Nobody knows whether it was taken. */
  | 'unknown';

export class CarrierError extends Error {
  readonly trouble: CarrierTrouble;
  /** The carrier's own, where it gave one. */
  readonly code: string;

  constructor(trouble: CarrierTrouble, code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CarrierError';
    this.trouble = trouble;
    this.code = code;
  }
}
