/** Columns of tel_companies that say how long calls are kept, and the rows of tel_calls that are too old for that. */
import type { Knex } from 'knex';
import type { CompanyId } from '../../model/companies/company';

export interface Retention {
  /** Null: for ever. */
  readonly callDays: number | null;
  readonly recordingDays: number | null;
}

export interface Rule extends Retention {
  readonly companyId: CompanyId;
}

const COLUMNS = { callDays: 'call_days', recordingDays: 'recording_days' };

export async function of(db: Knex, id: CompanyId): Promise<Retention> {
  const found = (await db('tel_companies').where({ id }).first(COLUMNS)) as Retention | undefined;
  return found ?? { callDays: null, recordingDays: null };
}

export async function set(db: Knex, id: CompanyId, { callDays, recordingDays }: Retention): Promise<void> {
  await db('tel_companies').where({ id }).update({ call_days: callDays, recording_days: recordingDays });
}

/** Of the companies that do not keep everything. */
export const rules = async (db: Knex): Promise<Rule[]> =>
  (await db('tel_companies')
    .whereNotNull('call_days')
    .orWhereNotNull('recording_days')
    .select({ companyId: 'id', ...COLUMNS })) as Rule[];

const before = (db: Knex, days: number): Knex.Raw => db.raw('NOW(3) - INTERVAL ? DAY', [days]);

export interface OldRecording {
  readonly id: string;
  readonly pbx: string;
  readonly recording: string;
}

/** Oldest first, without those of these PBXs. */
// oxlint-disable-next-line max-params -- the rule, and which of its rows
export async function oldRecordings(
  db: Knex,
  { companyId, callDays, recordingDays }: Rule,
  without: readonly string[],
  most: number,
): Promise<OldRecording[]> {
  const days = Math.min(callDays ?? Infinity, recordingDays ?? Infinity);
  return (await db('tel_calls')
    .where({ company_id: companyId })
    .where('started_at', '<', before(db, days))
    .whereNotNull('recording')
    .whereNotIn('pbx', without)
    .orderBy('started_at')
    .limit(most)
    .select('id', 'pbx', 'recording')) as OldRecording[];
}

/** Returns how many. */
export async function removeOld(db: Knex, { companyId, callDays }: Rule, most: number): Promise<number> {
  if (callDays === null) return 0;
  const old = db('tel_calls')
    .where({ company_id: companyId, recording: null })
    .where('started_at', '<', before(db, callDays))
    .orderBy('started_at')
    .limit(most);
  return removeAll(db, (await old.pluck('id')) as string[]);
}

export async function removeOrphans(db: Knex, most: number): Promise<number> {
  // The index of instances tells which PBXs have calls; few are without an instance.
  const pbxs = (await db('tel_calls').distinct('pbx').pluck('pbx')) as string[];
  const known = new Set((await db('tel_instances').whereIn('uuid', pbxs).pluck('uuid')) as string[]);
  const gone = pbxs.filter((pbx) => !known.has(pbx));
  if (gone.length === 0) return 0;
  return removeAll(db, (await db('tel_calls').whereIn('pbx', gone).limit(most).pluck('id')) as string[]);
}

const removeAll = (db: Knex, ids: readonly string[]): Promise<number> | number =>
  ids.length === 0 ? 0 : db('tel_calls').whereIn('id', ids).delete();
