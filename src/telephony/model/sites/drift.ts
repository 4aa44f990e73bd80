/** How a PBX and the database differ, by extension number. Never contains field values, because some are secret. */

import type { Wire } from '../../../kernel/text/wire';
import type { driftReport } from '../answers/company';

export interface Drift {
  /** In the database, not on the PBX. */
  readonly missing: readonly number[];
  /** On both, but different. */
  readonly changed: readonly number[];
  /** On the PBX and not in the database: reported, never touched. */
  readonly unknown: readonly number[];
  /** Left on the PBX by a failed order: removed. */
  readonly leftover: readonly number[];
  readonly alike: number;
}

export interface Skipped {
  readonly number: number;
  readonly reason: string;
}

export interface DriftReport extends Drift {
  readonly repaired: readonly number[];
  /** Not compared, or different and not repaired. */
  readonly skipped: readonly Skipped[];
  readonly isComplete: boolean;
  readonly detail: string;
}

/** `stuck`: orders that failed and could not be undone. */
export const reportObject = (
  instance: string,
  { at, report }: { readonly at: Date; readonly report: DriftReport },
  stuck: Wire<typeof driftReport>['stuck'],
): Wire<typeof driftReport> => ({
  instance_uuid: instance,
  at: at.toISOString(),
  is_complete: report.isComplete,
  detail: report.detail,
  alike: report.alike,
  missing: report.missing,
  changed: report.changed,
  unknown: report.unknown,
  leftover: report.leftover,
  repaired: report.repaired,
  skipped: report.skipped,
  stuck,
});
