/** Rows of tel_listeners, tel_lines and tel_live_calls: what the listener of a PBX knows of its lines and calls. */
import type { Knex } from 'knex';
import type { Statement } from '../../../kernel/mysql/commit-statements';
import type { Line } from '../../model/calls/line';
import type { LiveCall } from '../../model/calls/live-calls';
import type { CompanyId } from '../../model/companies/company';
import type { ContactId } from '../../model/contacts/contact';

const MICROSECONDS = 1000;

/** While the lease is held: what is known is true for this long, or from now on unknown. */
export const confirming = (pbx: string, forMs: number, whileHeld: string): Statement => ({
  sql:
    'INSERT INTO tel_listeners (pbx, valid_until) ' +
    `SELECT i.uuid, NOW(3) + INTERVAL ? MICROSECOND FROM tel_instances i WHERE i.uuid = ? AND ${whileHeld} ` +
    'ON DUPLICATE KEY UPDATE valid_until = VALUES(valid_until)',
  bindings: [Math.round(forMs * MICROSECONDS), pbx],
});

export async function invalidate(db: Knex, pbx: string): Promise<void> {
  await db('tel_listeners').where({ pbx }).delete();
}

/** Which of these PBXs somebody listens to now. */
export async function validAmong(db: Knex, pbxs: readonly string[]): Promise<Set<string>> {
  if (pbxs.length === 0) return new Set();
  const found = db('tel_listeners').whereIn('pbx', pbxs).where('valid_until', '>', db.raw('NOW(3)'));
  return new Set((await found.pluck('pbx')) as string[]);
}

interface LineRow {
  readonly number: number;
  readonly call_status: Line['callStatus'];
  readonly is_registered: number;
}

const lineOf = (row: LineRow): Line => ({ callStatus: row.call_status, isRegistered: row.is_registered === 1 });

/** As they were last told of, true or not. */
export async function linesOf(db: Knex, pbx: string): Promise<Map<number, Line>> {
  const rows = (await db('tel_lines').where({ pbx }).select('number', 'call_status', 'is_registered')) as LineRow[];
  return new Map(rows.map((row) => [row.number, lineOf(row)]));
}

/** Those that are true now. */
export async function validLines(db: Knex, pbx: string, numbers: readonly number[]): Promise<Map<number, Line>> {
  if (numbers.length === 0) return new Map();
  const rows = (await db('tel_lines AS l')
    .join('tel_listeners AS t', 't.pbx', 'l.pbx')
    .where('l.pbx', pbx)
    .whereIn('l.number', numbers)
    .where('t.valid_until', '>', db.raw('NOW(3)'))
    .whereNot('l.call_status', 'unknown')
    .select('l.number', 'l.call_status', 'l.is_registered')) as LineRow[];
  return new Map(rows.map((row) => [row.number, lineOf(row)]));
}

/** Whose extensions these are. */
export async function usersOf(db: Knex, pbx: string, numbers: readonly number[]): Promise<ContactId[]> {
  if (numbers.length === 0) return [];
  const found = db('tel_extensions').where({ pbx }).whereIn('number', numbers).whereNotNull('user_id');
  return (await found.distinct().pluck('user_id')) as ContactId[];
}

/** The lines of all their extensions, as they were last told of. */
export async function linesOfUsers(
  db: Knex,
  users: readonly ContactId[],
): Promise<{ readonly userId: ContactId; readonly line: Pick<Line, 'callStatus'> }[]> {
  const rows = (await db('tel_extensions AS e')
    .join('tel_lines AS l', (on) => void on.on('l.pbx', 'e.pbx').on('l.number', 'e.number'))
    .whereIn('e.user_id', users)
    .select({ userId: 'e.user_id', callStatus: 'l.call_status' })) as {
    userId: ContactId;
    callStatus: Line['callStatus'];
  }[];
  return rows.map(({ userId, callStatus }) => ({ userId, line: { callStatus } }));
}

/** Nothing is known any more of those with a call. Returns their numbers. */
export async function forgetBusy(db: Knex, pbx: string): Promise<number[]> {
  const busy = () => db('tel_lines').where({ pbx }).whereIn('call_status', ['talking', 'busy', 'hold', 'ringing']);
  const numbers = (await busy().pluck('number')) as number[];
  if (numbers.length > 0) await busy().update({ call_status: 'unknown' });
  return numbers;
}

export async function putLines(db: Knex, pbx: string, lines: ReadonlyMap<number, Line>): Promise<void> {
  if (lines.size === 0) return;
  const rows = [...lines].map(([number, { callStatus, isRegistered }]) => ({
    pbx,
    number,
    call_status: callStatus,
    is_registered: isRegistered,
  }));
  await db('tel_lines').insert(rows).onConflict(['pbx', 'number']).merge(['call_status', 'is_registered']);
}

type Kept = Omit<LiveCall, 'startedAt' | 'answeredAt'> & {
  readonly startedAt: string;
  readonly answeredAt: string | null;
};

function callIn(data: string): LiveCall {
  const kept = JSON.parse(data) as Kept;
  const answeredAt = kept.answeredAt === null ? null : new Date(kept.answeredAt);
  return { ...kept, startedAt: new Date(kept.startedAt), answeredAt };
}

export async function liveCallsOf(db: Knex, pbx: string): Promise<Map<string, LiveCall>> {
  const rows = (await db('tel_live_calls').where({ pbx }).pluck('data')) as string[];
  return new Map(rows.map(callIn).map((call) => [call.callId, call]));
}

export interface CompanyCall {
  readonly pbx: string;
  readonly call: LiveCall;
}

export async function liveCallsOfCompany(db: Knex, companyId: CompanyId, most: number): Promise<CompanyCall[]> {
  const rows = (await db('tel_live_calls AS c')
    .join('tel_listeners AS t', 't.pbx', 'c.pbx')
    .where('c.company_id', companyId)
    .where('t.valid_until', '>', db.raw('NOW(3)'))
    .limit(most)
    .select('c.pbx', 'c.data')) as { pbx: string; data: string }[];
  return rows.map(({ pbx, data }) => ({ pbx, call: callIn(data) }));
}

export async function putLiveCalls(
  db: Knex,
  { pbx, companyId }: { readonly pbx: string; readonly companyId: CompanyId },
  calls: readonly LiveCall[],
): Promise<void> {
  if (calls.length === 0) return;
  const rows = calls.map((call) => ({
    pbx,
    call_id: call.callId,
    company_id: companyId,
    data: JSON.stringify(call),
  }));
  await db('tel_live_calls').insert(rows).onConflict(['pbx', 'call_id']).merge(['data']);
}

export async function removeLiveCalls(db: Knex, pbx: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db('tel_live_calls').where({ pbx }).whereIn('call_id', ids).delete();
}
