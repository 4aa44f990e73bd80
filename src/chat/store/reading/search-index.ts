/** Fills the search table from the messages, in the order of their ids. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import { behind } from '../behind';

/** An organisation with messages that are not indexed yet. */
export interface Backlog {
  readonly realmId: RealmId;
  readonly indexedId: number;
  readonly head: number;
}

export async function backlogs(db: Knex): Promise<Backlog[]> {
  const found = await behind(db, { table: 'chat_search_cursors', column: 'indexed_id' });
  return found.map(({ realmId, head, reached }) => ({ realmId, head, indexedId: reached ?? 0 }));
}

export interface Indexable {
  readonly id: number;
  readonly topic: string;
  readonly rendered: string;
  readonly traits: number;
}

const COLUMNS = ['id', 'topic', 'rendered', 'traits'] as const;

export async function nextMessages(
  db: Knex,
  { realmId, indexedId, head }: Backlog,
  most: number,
): Promise<Indexable[]> {
  return db('chat_messages')
    .where({ realm_id: realmId })
    .whereBetween('id', [indexedId + 1, head])
    .orderBy('id')
    .limit(most)
    .select(...COLUMNS);
}

const MOST_ROWS = 2000;

export async function insertWords(
  db: Knex,
  realmId: RealmId,
  entries: readonly { readonly id: number; readonly words: ReadonlySet<string> }[],
): Promise<void> {
  const rows = entries.flatMap(({ id, words }) =>
    [...words].map((word) => ({ realm_id: realmId, word, message_id: id })),
  );
  for (let start = 0; start < rows.length; start += MOST_ROWS) {
    await db('chat_search')
      .insert(rows.slice(start, start + MOST_ROWS))
      .onConflict()
      .ignore();
  }
}

export async function moveCursor(db: Knex, realmId: RealmId, indexedId: number): Promise<void> {
  await db('chat_search_cursors').insert({ realm_id: realmId, indexed_id: indexedId }).onConflict().merge();
}

/** Records changed or deleted messages, in the same transaction, to be indexed again. */
export async function noteChanges(db: Knex, realmId: RealmId, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db('chat_search_changes').insert(ids.map((id) => ({ realm_id: realmId, message_id: id })));
}

interface ChangeRow {
  id: number;
  realm_id: RealmId;
  message_id: number;
}

/** Removes the words of changed messages. Returns the messages to index again. */
export async function takeChanges(db: Knex, most: number): Promise<{ realmId: RealmId; message: Indexable }[]> {
  const rows = (await db('chat_search_changes').orderBy('id').limit(most)) as ChangeRow[];
  const found: { realmId: RealmId; message: Indexable }[] = [];
  for (const { id, realm_id: realmId, message_id: messageId } of rows) {
    await db('chat_search').where({ realm_id: realmId, message_id: messageId }).delete();
    await db('chat_search_changes').where({ id }).delete();
    const message = (await db('chat_messages')
      .where({ realm_id: realmId, id: messageId })
      .first(...COLUMNS)) as Indexable | undefined;
    if (message) found.push({ realmId, message });
  }
  return found;
}
