/** Rows of chat_search: which words stand in which messages. */
import type { Knex } from 'knex';
import { realmTenant, type RealmId } from '../model/realm';

/** Which of these words stand in each of these messages. */
export async function wordsAmong(
  db: Knex,
  realmId: RealmId,
  words: readonly string[],
  ids: readonly number[],
): Promise<Map<number, Set<string>>> {
  const rows = (await db('chat_search')
    .where({ realm_id: realmId })
    .whereIn('word', words)
    .whereIn('message_id', ids)
    .select('word', 'message_id')) as { word: string; message_id: number }[];
  const found = new Map<number, Set<string>>();
  for (const { word, message_id: id } of rows) found.set(id, (found.get(id) ?? new Set()).add(word));
  return found;
}

/** Those of the messages in whose content or topic every phrase stands, in any case. */
export async function hasPhrases(
  db: Knex,
  realmId: RealmId,
  phrases: readonly string[],
  ids: readonly number[],
): Promise<Set<number>> {
  const query = db('chat_messages').where({ realm_id: realmId }).whereIn('id', ids);
  for (const phrase of phrases) {
    const pattern = `%${phrase.replaceAll(/[\\%_]/g, '\\$&')}%`;
    void query.where((either) => void either.where('content', 'like', pattern).orWhere('topic', 'like', pattern));
  }
  return new Set((await query.pluck('id')) as number[]);
}

/** The organisation's newest message, and up to where its messages have been taken in. */
export async function positions(db: Knex, realmId: RealmId): Promise<{ head: number; indexedId: number }> {
  const [[[counter], [cursor]]] = (await db.raw(
    'SELECT record_number FROM kernel_counters WHERE tenant = ?; ' +
      'SELECT indexed_id FROM chat_search_cursors WHERE realm_id = ?',
    [realmTenant(realmId), realmId],
  )) as [[[{ record_number: number }?], [{ indexed_id: number }?]]];
  return { head: counter?.record_number ?? 0, indexedId: cursor?.indexed_id ?? 0 };
}
