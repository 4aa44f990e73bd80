/**
 * What every kind of PBX can be asked to do, and the ways in which that fails. Its fields:
 * model/extensions/backend-fields.ts.
 */

/** An extension as a PBX holds it: its number, the fields we pushed, and the operation that wrote it. */
export type Held = Readonly<Record<string, unknown>> & {
  readonly number: number;
  /** The operation's id or, where a PBX has no room for that, its mark (see model/extensions/sealing.ts). */
  readonly operation?: string;
  /** Some of it is missing: whoever wrote it did not come to the end. */
  readonly isPartial?: boolean;
  /** From a list that shows less than a look at one extension: fields that it lacks are not compared. */
  readonly isSummary?: boolean;
};

export interface CallContext {
  /** The operation on whose behalf the PBX is called; calling twice with the same one changes nothing more. */
  readonly key: string;
  readonly deadlineMs: number;
}

export interface Health {
  readonly isWell: boolean;
  readonly tookMs: number;
  readonly detail: string;
}

export interface PbxDriver {
  create(extension: Held, context: CallContext): Promise<void>;
  update(extension: Held, context: CallContext): Promise<void>;
  /** An extension that is not there counts as deleted. */
  delete(number: number, context: CallContext): Promise<void>;
  get(number: number, context: CallContext): Promise<Held | undefined>;
  /** All that it holds. A PBX that may not list all of it is asked for the known numbers one by one. */
  list(context: CallContext, known?: readonly number[]): Promise<Held[]>;
  health(context: CallContext): Promise<Health>;
  /** It has no room for an operation's id: that a change was done is seen by what it holds. */
  readonly recognises?: 'content';
  /** For a PBX whose changes take effect only by a reload, which goes on behind the call. */
  readonly reload?: {
    /** Gives the id to ask about it by. */
    begin(context: CallContext): Promise<string>;
    /** Throws NotUnderstood where the PBX says something else. */
    state(id: string, context: CallContext): Promise<'under-way' | 'done' | 'failed'>;
  };
  /** What `get` shows once this is pushed, where that is less than the whole. Every order is read back by it. */
  shows?(extension: Held): Held;
  /** Those among the numbers that a phone is registered for right now; not every PBX can say. */
  registered?(numbers: readonly number[], context: CallContext): Promise<number[]>;
}

export type PbxTrouble =
  /** It understood and said no: nothing was done, and nothing is wrong with it. */
  | 'refused'
  /** It answered that it failed. */
  | 'error'
  /** It could not be reached: nothing was done. */
  | 'away'
  /** The connection broke, or the answer made no sense: nobody knows. */
  | 'cut'
  /** No answer in time: nobody knows, and it may still happen. */
  | 'silent';

export class PbxError extends Error {
  readonly trouble: PbxTrouble;

  constructor(trouble: PbxTrouble, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'PbxError';
    this.trouble = trouble;
  }
}

/** It answered, and nobody knows what the answer means: asking again would bring the same. */
export class NotUnderstood extends PbxError {
  constructor(message: string) {
    super('cut', message);
    this.name = 'NotUnderstood';
  }
}

/** What it refuses is no trouble of the PBX. */
export const isPbxTrouble = (error: unknown): boolean => error instanceof PbxError && error.trouble !== 'refused';
