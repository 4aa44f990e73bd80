/** Rows of ops_sessions. Only hashes of tokens are stored. */
import type { Knex } from 'knex';
import { removeBeyond } from '../../kernel/mysql/sql-parts';
import type { Browser } from '../../kernel/sessions/page-session';
import { type Operator, IDLE_HOURS, MAX_DAYS } from '../model/operator';

export interface NewSession extends Browser {
  readonly operatorId: number;
  readonly tokenHash: string;
}

export async function insert(db: Knex, { operatorId, tokenHash, agent, address }: NewSession): Promise<void> {
  await db('ops_sessions').insert({
    operator_id: operatorId,
    token_hash: tokenHash,
    agent,
    address,
    created_at: db.raw('NOW(3)'),
    last_used_at: db.raw('NOW(3)'),
  });
}

export interface FoundSession {
  readonly id: number;
  readonly operator: Operator;
  readonly unusedMs: number;
}

/** Returns undefined if the session does not exist, was idle for too long, or is too old. */
export async function byTokenHash(db: Knex, tokenHash: string): Promise<FoundSession | undefined> {
  type Row = Operator & { id: number; unused: number };
  const row = (await db('ops_sessions')
    .join('ops_operators', 'ops_operators.id', 'ops_sessions.operator_id')
    .where({ token_hash: tokenHash })
    .whereRaw('last_used_at > NOW(3) - INTERVAL ? HOUR', [IDLE_HOURS])
    .whereRaw('ops_sessions.created_at > NOW(3) - INTERVAL ? DAY', [MAX_DAYS])
    .first(
      { id: 'ops_sessions.id', name: 'ops_operators.name', access: 'ops_operators.access' },
      db.raw('TIMESTAMPDIFF(SECOND, last_used_at, NOW(3)) AS unused'),
    )) as Row | undefined;
  return row && { id: row.id, operator: { name: row.name, access: row.access }, unusedMs: row.unused * 1000 };
}

export async function noteUse(db: Knex, id: number): Promise<void> {
  await db('ops_sessions')
    .where({ id })
    .update({ last_used_at: db.raw('NOW(3)') });
}

export async function remove(db: Knex, tokenHash: string): Promise<void> {
  await db('ops_sessions').where({ token_hash: tokenHash }).delete();
}

/** Deletes everybody's expired sessions, and an operator's least recently used ones beyond this number. */
export async function removeOld(db: Knex, operatorId: number, most: number): Promise<void> {
  await db('ops_sessions')
    .whereRaw('last_used_at < NOW(3) - INTERVAL ? HOUR', [IDLE_HOURS])
    .orWhereRaw('created_at < NOW(3) - INTERVAL ? DAY', [MAX_DAYS])
    .delete();
  await removeBeyond(db, 'ops_sessions', { operator_id: operatorId }, most);
}
