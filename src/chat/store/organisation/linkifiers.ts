/** Rows of chat_linkifiers: patterns that an organisation turns into links. */
import type { Knex } from 'knex';
import { readOf, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';

export interface Linkifier {
  readonly id: number;
  readonly pattern: string;
  readonly urlFormat: string;
  readonly urlTemplate: string | null;
}

interface Last {
  readonly last: number | null;
}

export const listRead = (realmId: RealmId): Read<readonly Linkifier[]> =>
  readOf(
    'SELECT id, pattern, url_format AS urlFormat, url_template AS urlTemplate FROM chat_linkifiers ' +
      'WHERE realm_id = ? ORDER BY place, id',
    [realmId],
    (rows: readonly Linkifier[]) => rows,
  );

export async function insert(db: Knex, realmId: RealmId, linkifier: Omit<Linkifier, 'id'>): Promise<number> {
  const { pattern, urlFormat, urlTemplate } = linkifier;
  const [id] = await db('chat_linkifiers').insert({
    realm_id: realmId,
    pattern,
    url_format: urlFormat,
    url_template: urlTemplate,
    place: ((await db('chat_linkifiers').where({ realm_id: realmId }).max('place as last').first()) as Last).last ?? 0,
  });
  return id!;
}

/** In the order of the ids, which are all of the organisation's. */
export async function reorder(db: Knex, realmId: RealmId, ids: readonly number[]): Promise<void> {
  for (const [place, id] of ids.entries())
    await db('chat_linkifiers').where({ realm_id: realmId, id }).update({ place });
}

/** Returns whether it existed. */
export async function remove(db: Knex, realmId: RealmId, id: number): Promise<boolean> {
  return (await db('chat_linkifiers').where({ realm_id: realmId, id }).delete()) > 0;
}
