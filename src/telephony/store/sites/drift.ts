/** Rows of tel_drift: the last comparison of each instance. */
import type { Knex } from 'knex';
import type { DriftReport } from '../../model/sites/drift';
import { firstOf } from '../reads';

export async function save(db: Knex, instance: string, report: DriftReport, begunAt: Date): Promise<void> {
  const row = {
    begun_at: begunAt,
    at: db.raw('NOW(3)'),
    is_complete: report.isComplete,
    report: JSON.stringify(report),
  };
  await db('tel_drift')
    .insert({ instance, ...row })
    .onConflict('instance')
    .merge();
}

/** The moment at which a comparison begins, by the clock that its requests were recorded by. */
export async function now(db: Knex): Promise<Date> {
  const [[row]] = (await db.raw('SELECT NOW(3) AS now')) as [[{ now: Date }]];
  return row.now;
}

export interface SavedReport {
  readonly begunAt: Date;
  readonly at: Date;
  readonly report: DriftReport;
}

export const byInstance = (db: Knex, instance: string): Promise<SavedReport | undefined> =>
  firstOf(
    db('tel_drift').where({ instance }).select('at', 'report', { begunAt: 'begun_at' }),
    (row: Omit<SavedReport, 'report'> & { report: string }) => ({
      ...row,
      report: JSON.parse(row.report) as DriftReport,
    }),
  );

export async function remove(db: Knex, instance: string): Promise<void> {
  await db('tel_drift').where({ instance }).delete();
}
