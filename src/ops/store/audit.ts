/** Rows of ops_audit. */
import type { Knex } from 'knex';
import type { AuditEntry, AuditRecord } from '../model/audit';

export async function insert(db: Knex, { target, ...record }: AuditRecord): Promise<void> {
  await db('ops_audit').insert({ ...record, target: target.slice(0, 500), at: db.raw('NOW(3)') });
}

/** Newest first. */
export async function list(db: Knex, limit: number, before?: number): Promise<AuditEntry[]> {
  const rows = db('ops_audit').orderBy('id', 'desc').limit(limit);
  if (before !== undefined) rows.where('id', '<', before);
  return (await rows.select('id', 'at', 'operator', 'via', 'action', 'target', 'count')) as AuditEntry[];
}
