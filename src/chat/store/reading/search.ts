/** Rows of chat_search: which words each message contains. */
import type { Knex } from 'knex';
import { readOf, type Read } from '../../../kernel/mysql/read-packet';
import { realmTenant, type RealmId } from '../../model/organisation/realm';

/** Which of these words each of these messages contains. */
export async function wordsAmong(
  db: Knex,
  realmId: RealmId,
  words: readonly string[],
  ids: readonly number[],
): Promise<Map<number, Set<string>>> {
  if (words.length === 0 || ids.length === 0) return new Map();
  const rows = (await db('chat_search')
    .where({ realm_id: realmId })
    .whereIn('word', words)
    .whereIn('message_id', ids)
    .select('word', 'message_id')) as { word: string; message_id: number }[];
  const found = new Map<number, Set<string>>();
  for (const { word, message_id: id } of rows) found.set(id, (found.get(id) ?? new Set()).add(word));
  return found;
}

/** The messages whose content or topic contains every phrase, case-insensitively. */
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

export interface Positions {
  /** The organisation's newest message. */
  readonly head: number;
  /** Its messages are indexed up to this id. */
  readonly indexedId: number;
}

export const positionsRead = (realmId: RealmId): Read<Positions> =>
  readOf(
    'SELECT (SELECT record_number FROM kernel_counters WHERE tenant = ?) AS head, ' +
      '(SELECT indexed_id FROM chat_search_cursors WHERE realm_id = ?) AS indexedId',
    [realmTenant(realmId), realmId],
    ([row]: readonly { [K in keyof Positions]: number | null }[]) => ({
      head: row?.head ?? 0,
      indexedId: row?.indexedId ?? 0,
    }),
  );
