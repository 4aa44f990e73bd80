/** The provisioning state of an extension: whether its PBX holds what was ordered. */
import type { DriftReport } from '../sites/drift';
import type { OperationState } from './operation';

export const PROVISIONING_STATES = ['ready', 'waiting', 'failed', 'drifted'] as const;
export type ProvisioningState = (typeof PROVISIONING_STATES)[number];

export interface Standing {
  readonly number: number;
  readonly state: ProvisioningState;
  /** The PBX's message, if an order failed. */
  readonly detail: string;
}

interface LastOrder {
  readonly state: OperationState;
  readonly detail: string | null;
  readonly finishedAt: Date | null;
}

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
  // A comparison that is newer than the last order shows the actual state.
  if (comparison && (finishedAt === null || comparison.at > finishedAt)) {
    return { number, state: isAlike(number, comparison.report) ? 'ready' : 'drifted', detail: '' };
  }
  return state === 'succeeded'
    ? { number, state: 'ready', detail: '' }
    : { number, state: 'failed', detail: detail ?? '' };
}

const NO_ORDER: LastOrder = { state: 'succeeded', detail: null, finishedAt: null };

const isAlike = (number: number, { missing, changed, repaired }: DriftReport): boolean =>
  repaired.includes(number) || !(missing.includes(number) || changed.includes(number));
