/** The provisioning state of an extension: whether its PBX holds what was ordered. */
import type { DriftReport } from '../sites/drift';
import type { Operation, OperationKind } from './operation';

export const PROVISIONING_STATES = ['ready', 'waiting', 'failed', 'stuck', 'drifted'] as const;
export type ProvisioningState = (typeof PROVISIONING_STATES)[number];

export interface Standing {
  readonly number: number;
  readonly state: ProvisioningState;
  /** Why an order failed, or why a difference was not repaired. */
  readonly detail: string;
  /** What failed; null in every other state. */
  readonly order: OperationKind | null;
}

type LastOrder = Pick<Operation, 'kind' | 'state' | 'detail' | 'finishedAt'>;

interface LastComparison {
  readonly at: Date;
  readonly report: DriftReport;
}

/** An extension without a recorded order counts as provisioned, since it predates the records. */
export function standingOf(
  number: number,
  order: LastOrder | undefined,
  comparison: LastComparison | undefined,
): Standing {
  const { state, finishedAt } = order ?? NO_ORDER;
  if (state === 'pending' || state === 'running') return { number, state: 'waiting', detail: '', order: null };
  // Comparisons skip orders that are being undone.
  if (state === 'stuck' || state === 'undoing') return failedAs(number, state === 'stuck' ? 'stuck' : 'failed', order!);
  // A comparison that is newer than the last order shows the actual state.
  if (comparison && (finishedAt === null || comparison.at > finishedAt)) return comparedIn(number, comparison.report);
  return state === 'succeeded' ? readyAt(number) : failedAs(number, 'failed', order!);
}

const readyAt = (number: number): Standing => ({ number, state: 'ready', detail: '', order: null });

const failedAs = (number: number, state: 'failed' | 'stuck', { kind, detail }: LastOrder): Standing => ({
  number,
  state,
  detail: detail ?? '',
  order: kind,
});

function comparedIn(number: number, report: DriftReport): Standing {
  if (isAlike(number, report)) return readyAt(number);
  const skipped = report.skipped.find((each) => each.number === number);
  return { number, state: 'drifted', detail: skipped?.reason ?? '', order: null };
}

const NO_ORDER: LastOrder = { kind: 'update', state: 'succeeded', detail: null, finishedAt: null };

const isAlike = (number: number, { missing, changed, repaired }: DriftReport): boolean =>
  repaired.includes(number) || !(missing.includes(number) || changed.includes(number));
