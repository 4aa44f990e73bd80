/** Rows of tel_drift: the last comparison of each instance. */
import type { Knex } from 'knex';
import type { DriftReport } from '../../model/sites/drift';

export async function save(db: Knex, instance: string, report: DriftReport): Promise<void> {
  const row = { at: db.raw('NOW(3)'), is_complete: report.isComplete, report: JSON.stringify(report) };
  await db('tel_drift')
    .insert({ instance, ...row })
    .onConflict('instance')
    .merge();
}

export async function byInstance(db: Knex, instance: string): Promise<{ at: Date; report: DriftReport } | undefined> {
  const row = (await db('tel_drift').where({ instance }).first('at', 'report')) as
    | { at: Date; report: string }
    | undefined;
  return row && { at: row.at, report: JSON.parse(row.report) as DriftReport };
}

export async function remove(db: Knex, instance: string): Promise<void> {
  await db('tel_drift').where({ instance }).delete();
}
