/** Sealed keys of several accounts at once; who may see them open is for the caller to know. */
import type { Knex } from 'knex';
import type { UserId } from '../model/user';

export async function sealed(db: Knex, ids: readonly UserId[]): Promise<Map<UserId, string>> {
  if (ids.length === 0) return new Map();
  const rows = (await db('chat_users').whereIn('id', ids).select('id', 'key_sealed')) as {
    id: UserId;
    key_sealed: string;
  }[];
  return new Map(rows.map(({ id, key_sealed: key }) => [id, key]));
}
