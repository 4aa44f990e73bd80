/** How an extension stands with its PBX, for those who look after it. */
import type { DriftReport } from './drift';
import type { OperationState } from './operation';

export const PROVISIONING_STATES = ['ready', 'waiting', 'failed', 'drifted'] as const;
export type ProvisioningState = (typeof PROVISIONING_STATES)[number];

export interface Standing {
  readonly number: number;
  readonly state: ProvisioningState;
  /** What the PBX said, where an order failed. */
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

/** An order that was never placed, as for extensions of before orders were kept, counts as done. */
export function standingOf(
  number: number,
  order: LastOrder | undefined,
  comparison: LastComparison | undefined,
): Standing {
  if (order?.state === 'pending' || order?.state === 'running') return { number, state: 'waiting', detail: '' };
  const isCompared = comparison !== undefined && comparison.at > (order?.finishedAt ?? new Date(0));
  // A comparison that came after a failed order says how things are.
  if (isCompared) {
    const { missing, changed, repaired } = comparison.report;
    const differs = [...missing, ...changed].includes(number) && !repaired.includes(number);
    return { number, state: differs ? 'drifted' : 'ready', detail: '' };
  }
  const hasFailed = order?.state === 'failed' || order?.state === 'undoing';
  return { number, state: hasFailed ? 'failed' : 'ready', detail: hasFailed ? (order.detail ?? '') : '' };
}
