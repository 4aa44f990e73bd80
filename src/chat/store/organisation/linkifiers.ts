/** Rows of chat_linkifiers: patterns that an organisation turns into links. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';

export interface Linkifier {
  readonly id: number;
  readonly pattern: string;
  readonly urlFormat: string;
}

export async function list(db: Knex, realmId: RealmId): Promise<Linkifier[]> {
  return (await db('chat_linkifiers')
    .where({ realm_id: realmId })
    .orderBy('id')
    .select('id', 'pattern', { urlFormat: 'url_format' })) as Linkifier[];
}

export async function insert(db: Knex, realmId: RealmId, linkifier: Omit<Linkifier, 'id'>): Promise<number> {
  const { pattern, urlFormat } = linkifier;
  const [id] = await db('chat_linkifiers').insert({ realm_id: realmId, pattern, url_format: urlFormat });
  return id!;
}

/** Returns whether it existed. */
export async function remove(db: Knex, realmId: RealmId, id: number): Promise<boolean> {
  return (await db('chat_linkifiers').where({ realm_id: realmId, id }).delete()) > 0;
}
