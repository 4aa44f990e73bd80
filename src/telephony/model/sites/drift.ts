/** How a PBX and the database differ, by number. Never what an extension holds: that is secret. */

import type { Wire } from '../../../kernel/wire';
import type { driftReport } from '../answers/company';

export interface Drift {
  /** In the database, not on the PBX. */
  readonly missing: readonly number[];
  /** On both, but not alike. */
  readonly changed: readonly number[];
  /** On the PBX, and nobody here knows of it: reported, never touched. */
  readonly unknown: readonly number[];
  /** On the PBX since an order that failed: removed. */
  readonly leftover: readonly number[];
  readonly alike: number;
}

export interface DriftReport extends Drift {
  readonly repaired: readonly number[];
  readonly isComplete: boolean;
  readonly detail: string;
}

export const reportObject = (instance: string, at: Date, report: DriftReport): Wire<typeof driftReport> => ({
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
});
