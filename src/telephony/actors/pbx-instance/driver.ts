/**
 * The interface of a PBX driver and the ways in which a call can fail. The fields are in
 * model/extensions/backend-fields.ts.
 */
import type { ExtensionData } from '../../model/extensions/extension';
import type { PbxArrangements, PbxForwards } from '../pbx-arrangements/arrangements';
import { lossBy, type Remake } from '../../model/extensions/voicemail-loss';

/** An extension as a PBX holds it: its number, the pushed fields, and the operation that wrote it. */
export type Held = Readonly<Record<string, unknown>> & {
  readonly number: number;
  /** The operation's id or, if the PBX cannot store it, its marker (see model/extensions/sealing.ts). */
  readonly operation?: string;
  /** Some of its objects are missing because the write was interrupted. */
  readonly isPartial?: boolean;
  /** Read from a list with fewer fields than `get` returns. Missing fields are not compared. */
  readonly isSummary?: boolean;
  /** Of its mailbox, if the PBX shows it and people may change it at the telephone: adopted, never compared. */
  readonly pin?: string;
};

export interface CallContext {
  /** The operation that calls the PBX. A second call with the same key changes nothing more. */
  readonly key: string;
  readonly deadlineMs: number;
  /** The caller of the order accepts that the messages of the mailbox are deleted. */
  readonly mayDiscard?: boolean;
  /** What was pushed last, if it is known: for fields that the PBX does not show. */
  readonly before?: Held;
  /** A comparison restores what is stored: what people have changed at the telephone stays. */
  readonly isRepair?: boolean;
  /** Called before the PBX is asked to change something; never if there is nothing to change. */
  readonly willChange?: () => Promise<void>;
  /** Called before the messages of the mailbox are deleted. */
  readonly willDiscard?: () => void;
}

export interface Health {
  readonly isWell: boolean;
  readonly tookMs: number;
  readonly detail: string;
}

export interface PbxDriver {
  /** Throws WouldDiscard if that would delete messages, and nobody has accepted it. */
  create(extension: Held, context: CallContext): Promise<void>;
  /** The same. Also creates an extension that is missing. */
  update(extension: Held, context: CallContext): Promise<void>;
  /** Deleting an extension that does not exist succeeds. */
  delete(number: number, context: CallContext): Promise<void>;
  get(number: number, context: CallContext): Promise<Held | undefined>;
  /** Returns all extensions. If the PBX may not list all of them, the driver reads the known numbers one by one. */
  list(context: CallContext, known?: readonly number[]): Promise<Held[]>;
  health(context: CallContext): Promise<Health>;
  /** The PBX cannot store an operation's id, so a change is recognised by the content that it left. */
  readonly recognises?: 'content';
  /** For a PBX whose changes take effect only after a reload, which runs in the background. */
  readonly reload?: {
    /** Starts a reload and returns the id to query its state by. */
    begin(context: CallContext): Promise<string>;
    /** Throws NotUnderstood if the PBX answers anything else. */
    state(id: string, context: CallContext): Promise<'under-way' | 'done' | 'failed'>;
  };
  /** The fields that are pushed, and that neither `get` nor `list` shows. */
  readonly unseen?: readonly string[];
  /** What `get` returns once this is pushed, if that is less than what was pushed. Read-backs are compared with it. */
  shows?(extension: Held): Held;
  /** Names a field whose new value refers to something that the PBX does not have. An order for it is refused. */
  lacks?(extension: Held, before: ExtensionData, context: CallContext): Promise<string | undefined>;
  /** Ring groups and numbers from outside. Which of them it takes is in model/sites/backends.ts. */
  readonly arrangements?: PbxArrangements;
  readonly forwards?: PbxForwards;
  readonly phoneCalls?: PbxPhoneCalls;
  /** Has the dial plan use these emergency numbers. */
  readonly keepEmergency?: (numbers: readonly string[], context: CallContext) => Promise<void>;
  /** Filters the numbers to those with a phone registered right now. Not every PBX can tell. */
  registered?(numbers: readonly number[], context: CallContext): Promise<number[]>;
}

/** Calls that a click begins. Their ids are those of their orders. */
export interface PbxPhoneCalls {
  /** Rings the extension and, once it is taken, the number. The key is the id. Throws PhoneAway. */
  begin(call: { readonly from: number; readonly to: string }, context: CallContext): Promise<void>;
  /** Whether the telephone rings, or the call goes on. */
  isThere(id: string, context: CallContext): Promise<boolean>;
  /** Ending a call that is over succeeds. */
  end(id: string, context: CallContext): Promise<void>;
}

export type PbxTrouble =
  /** The PBX understood and refused: nothing was done, and the PBX is healthy. */
  | 'refused'
  /** The PBX answered that it failed. */
  | 'error'
  /** The PBX could not be reached: nothing was done. */
  | 'away'
  /** The connection broke, or the answer made no sense: the outcome is unknown. */
  | 'cut'
  /** No answer in time: the outcome is unknown, and the change may still happen. */
  | 'silent';

export class PbxError extends Error {
  readonly trouble: PbxTrouble;

  constructor(trouble: PbxTrouble, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'PbxError';
    this.trouble = trouble;
  }
}

/** Nothing was done: what we sign in with is wrong. Until somebody corrects that, every call will end so. */
export class AccessRefused extends PbxError {
  constructor(what = 'credentials') {
    super('refused', `The PBX refuses our ${what}`);
  }
}

/** Nothing was done: it would delete the messages of a mailbox, which nobody has accepted. */
export class WouldDiscard extends PbxError {
  readonly remake: Remake;

  constructor(remake: Remake) {
    super('refused', lossBy(remake));
    this.name = 'WouldDiscard';
    this.remake = remake;
  }
}

/** The PBX answered something unknown. A retry would get the same answer. */
export class NotUnderstood extends PbxError {
  constructor(message: string) {
    super('cut', message);
    this.name = 'NotUnderstood';
  }
}

/** The order asks for something that this PBX does not have: 400, not 502. */
export class NotThere extends PbxError {
  /** The field or what is missing, as a sentence. */
  constructor(lack: string) {
    super('refused', lack);
    this.name = 'NotThere';
  }
}

/** Nobody can be called by a click whose telephone is not registered. */
export class PhoneAway extends PbxError {
  constructor(number: number) {
    super('refused', `The telephone of the extension ${number} is not registered`);
    this.name = 'PhoneAway';
  }
}

/** Whether a call shows that the PBX cannot be used, rather than that it did not like an order. */
export const isPbxFailing = (error: unknown): boolean => isPbxTrouble(error) || error instanceof AccessRefused;

/** A refusal does not count as trouble. */
export const isPbxTrouble = (error: unknown): boolean => error instanceof PbxError && error.trouble !== 'refused';
