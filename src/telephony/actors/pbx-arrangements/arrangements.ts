/** What a driver has for ring groups, numbers from outside and forwards, and how they are read back. */
import type { Arrangement, ForwardsData, MadeKind } from '../../model/arrangements/arrangement';
import type { CallContext, PbxDriver } from '../pbx-instance/driver';
import { NotHeld } from '../pbx-instance/drivers';
import { throwInTheMiddle } from '../pbx-instance/pbx-http';

/** As it is pushed, by the operation that wants it. */
export interface WantedArrangement extends Pick<Arrangement<MadeKind>, 'kind' | 'number' | 'data'> {
  readonly operation: string;
  /** An order makes it. A PBX that cannot tell what is ours refuses if something else has the number. */
  readonly isNew?: boolean;
}

export interface HeldArrangement {
  readonly kind: MadeKind;
  readonly number: number;
  /** In the words of the PBX: `contentOf` what was pushed. */
  readonly content: string;
  /** The operation that wrote it, if the PBX can store that. */
  readonly operation?: string;
}

export interface PbxArrangements {
  /** What `get` and `list` return as content once this is pushed. */
  contentOf(wanted: WantedArrangement): string;
  /** Makes or replaces it. */
  put(wanted: WantedArrangement, context: CallContext): Promise<void>;
  /** Deleting what does not exist succeeds. */
  remove(kind: MadeKind, number: number, context: CallContext): Promise<void>;
  get(kind: MadeKind, number: number, context: CallContext): Promise<HeldArrangement | undefined>;
  /** If the PBX may not list all, the driver reads the known ones. */
  list(context: CallContext, known: readonly Pick<Arrangement, 'kind' | 'number'>[]): Promise<HeldArrangement[]>;
  /** Says why it cannot be carried out on this PBX as it is. */
  refusal?(context: CallContext): Promise<string | undefined>;
}

/** Forwards change at the telephone too, so the PBX knows best. */
export interface PbxForwards {
  get(number: number, context: CallContext): Promise<ForwardsData>;
  set(number: number, forwards: ForwardsData, context: CallContext): Promise<void>;
  /** Of all extensions that have any. */
  list(context: CallContext, known: readonly number[]): Promise<Map<number, ForwardsData>>;
  refusal?(context: CallContext): Promise<string | undefined>;
}

/** Whether the PBX holds what would be pushed, no matter which operation wrote it. */
export const isHeld = (
  at: PbxArrangements,
  held: HeldArrangement | undefined,
  wanted: WantedArrangement,
): held is HeldArrangement => held?.content === at.contentOf(wanted);

export async function ensureArranged(
  at: PbxArrangements,
  wanted: WantedArrangement,
  context: CallContext,
): Promise<void> {
  const held = await at.get(wanted.kind, wanted.number, context).catch(throwInTheMiddle);
  if (!held) throw new NotHeld('does not have it');
  if (!isHeld(at, held, wanted)) throw new NotHeld('holds something else');
}

export async function ensureRemoved(
  at: PbxArrangements,
  { kind, number }: Pick<WantedArrangement, 'kind' | 'number'>,
  context: CallContext,
): Promise<void> {
  if (await at.get(kind, number, context).catch(throwInTheMiddle)) throw new NotHeld('still has it');
}

export const arrangementsOf = ({ arrangements }: PbxDriver): PbxArrangements => {
  // Orders for a PBX without any are refused before.
  if (!arrangements) throw new NotHeld('has nothing of that kind');
  return arrangements;
};

export const forwardsOf = ({ forwards }: PbxDriver): PbxForwards => {
  if (!forwards) throw new NotHeld('has nothing of that kind');
  return forwards;
};
