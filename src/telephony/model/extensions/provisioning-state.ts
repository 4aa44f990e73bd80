/** The provisioning state of an extension: whether its PBX holds what was ordered. */
import type { DriftReport } from '../sites/drift';
import type { Operation } from './operation';

export const PROVISIONING_STATES = ['ready', 'waiting', 'failed', 'stuck', 'drifted'] as const;
export type ProvisioningState = (typeof PROVISIONING_STATES)[number];

export interface Standing {
  readonly number: number;
  readonly state: ProvisioningState;
  /** Why an order failed, or why a difference was not repaired. */
  readonly detail: string;
}

type LastOrder = Pick<Operation, 'state' | 'detail' | 'finishedAt'>;

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
  const { state, detail, finishedAt } = order ?? NO_ORDER;
  if (state === 'pending' || state === 'running') return { number, state: 'waiting', detail: '' };
  // Comparisons skip orders that are being undone.
  if (state === 'stuck' || state === 'undoing') return failedAs(number, state === 'stuck' ? 'stuck' : 'failed', detail);
  // A comparison that is newer than the last order shows the actual state.
  if (comparison && (finishedAt === null || comparison.at > finishedAt)) return comparedIn(number, comparison.report);
  return state === 'succeeded' ? { number, state: 'ready', detail: '' } : failedAs(number, 'failed', detail);
}

const failedAs = (number: number, state: 'failed' | 'stuck', detail: string | null): Standing => ({
  number,
  state,
  detail: detail ?? '',
});

function comparedIn(number: number, report: DriftReport): Standing {
  if (isAlike(number, report)) return { number, state: 'ready', detail: '' };
  const skipped = report.skipped.find((each) => each.number === number);
  return { number, state: 'drifted', detail: skipped?.reason ?? '' };
}

const NO_ORDER: LastOrder = { state: 'succeeded', detail: null, finishedAt: null };

const isAlike = (number: number, { missing, changed, repaired }: DriftReport): boolean =>
  repaired.includes(number) || !(missing.includes(number) || changed.includes(number));
