/** Rows of ops_operators: only hashes, a key is shown once. */
import type { Knex } from 'knex';
import type { Operator } from '../model/operator';

export async function insert(db: Knex, operator: Operator, keyHash: string): Promise<void> {
  await db('ops_operators').insert({ ...operator, key_hash: keyHash, created_at: db.raw('NOW(3)') });
}

export async function byKeyHash(db: Knex, keyHash: string): Promise<Operator | undefined> {
  return (await db('ops_operators').where({ key_hash: keyHash }).first('name', 'access')) as Operator | undefined;
}
