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

/** How both differ in ring groups, numbers from outside and forwards, by name. */
export interface ArrangementDrift {
  readonly missing: readonly string[];
  readonly changed: readonly string[];
  readonly unknown: readonly string[];
  readonly leftover: readonly string[];
  readonly repaired: readonly string[];
  /** Forwards and PINs that somebody has changed at the telephone: taken over. */
  readonly adopted: readonly string[];
}

const NO_ARRANGEMENTS: ArrangementDrift = {
  missing: [],
  changed: [],
  unknown: [],
  leftover: [],
  repaired: [],
  adopted: [],
};

export interface DriftReport extends Drift {
  readonly repaired: readonly number[];
  /** Not compared, or different and not repaired. */
  readonly skipped: readonly Skipped[];
  /** Missing in a report of a release that did not compare them, and of a PBX that has none. */
  readonly arrangements?: ArrangementDrift;
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
  arrangements: report.arrangements ?? NO_ARRANGEMENTS,
  stuck,
});
