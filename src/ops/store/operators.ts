/** Rows of ops_operators. Only hashes of keys are stored, because a key is shown once. */
import type { Knex } from 'knex';
import type { Operator } from '../model/operator';

export async function insert(db: Knex, operator: Operator, keyHash: string): Promise<void> {
  await db('ops_operators').insert({ ...operator, key_hash: keyHash, created_at: db.raw('NOW(3)') });
}

export async function byKeyHash(db: Knex, keyHash: string): Promise<Operator | undefined> {
  return (await db('ops_operators').where({ key_hash: keyHash }).first('name', 'access')) as Operator | undefined;
}

export async function byName(db: Knex, name: string): Promise<Operator | undefined> {
  return (await db('ops_operators').where({ name }).first('name', 'access')) as Operator | undefined;
}

/** Locks the row, so that no session can open while the operator is being removed. */
export async function lockId(db: Knex, by: { key_hash: string } | { name: string }): Promise<number | undefined> {
  const row = (await db('ops_operators').where(by).forUpdate().first('id')) as { id: number } | undefined;
  return row?.id;
}

export async function setAccess(db: Knex, name: string, access: Operator['access']): Promise<void> {
  await db('ops_operators').where({ name }).update({ access });
}

/** Also ends the operator's sessions. Returns whether there is one. */
export async function setKey(db: Knex, name: string, keyHash: string): Promise<boolean> {
  const id = await lockId(db, { name });
  if (id === undefined) return false;
  await db('ops_operators').where({ id }).update({ key_hash: keyHash });
  await db('ops_sessions').where({ operator_id: id }).delete();
  return true;
}

export interface KnownOperator extends Operator {
  readonly createdAt: Date;
}

export async function list(db: Knex): Promise<KnownOperator[]> {
  return (await db('ops_operators')
    .orderBy('name')
    .select('name', 'access', { createdAt: 'created_at' })) as KnownOperator[];
}

/** Returns whether there was one. */
export async function remove(db: Knex, name: string): Promise<boolean> {
  return (await db('ops_operators').where({ name }).delete()) > 0;
}
