/** Fills the search table from the messages, in the order of their ids. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import * as counters from '../counters';
import { insertMissing } from '../rows';

const CURSORS = ['chat_search_cursors', 'indexed_id'] as const;

/** Organisations with messages that are not indexed yet. */
export const backlogs = (db: Knex): Promise<counters.Backlog[]> => counters.backlogs(db, ...CURSORS);

/** Find whether there is anything to index. */
export const findWork = (db: Knex): readonly Knex.QueryBuilder[] => [
  counters
    .behind(db, ...CURSORS)
    .limit(1)
    .select({ address: 'counter.tenant', tenant: 'counter.tenant' }),
  db('chat_search_changes').limit(1).select({ address: 'realm_id', tenant: 'realm_id' }),
];

export interface Indexable {
  readonly id: number;
  readonly topic: string;
  readonly rendered: string;
  readonly traits: number;
}

const COLUMNS = ['id', 'topic', 'rendered', 'traits'] as const;

export async function nextMessages(
  db: Knex,
  { realmId, indexedId, head }: counters.Backlog & { readonly indexedId: number },
  most: number,
): Promise<Indexable[]> {
  return db('chat_messages')
    .where({ realm_id: realmId })
    .whereBetween('id', [indexedId + 1, head])
    .orderBy('id')
    .limit(most)
    .select(...COLUMNS);
}

export async function insertWords(
  db: Knex,
  realmId: RealmId,
  entries: readonly { readonly id: number; readonly words: ReadonlySet<string> }[],
): Promise<void> {
  const rows = entries.flatMap(({ id, words }) =>
    [...words].map((word) => ({ realm_id: realmId, word, message_id: id })),
  );
  await insertMissing(db, 'chat_search', rows);
}

/**
 * Locks the organisation's index until the transaction ends, and returns the last indexed id. The update changes
 * nothing; it locks the row, whether the row existed or not.
 */
export async function lockCursor(db: Knex, realmId: RealmId): Promise<number> {
  const cursor = { realm_id: realmId, indexed_id: 0 };
  await db('chat_search_cursors').insert(cursor).onConflict().merge({ realm_id: realmId });
  const row = (await db('chat_search_cursors').where({ realm_id: realmId }).first('indexed_id')) as typeof cursor;
  return row.indexed_id;
}

/** For whoever has locked it. */
export async function moveCursor(db: Knex, realmId: RealmId, indexedId: number): Promise<void> {
  await db('chat_search_cursors').where({ realm_id: realmId }).update({ indexed_id: indexedId });
}

/** Records changed or deleted messages, in the same transaction, to be indexed again. */
export async function noteChanges(db: Knex, realmId: RealmId, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db('chat_search_changes').insert(ids.map((id) => ({ realm_id: realmId, message_id: id })));
}

/** A message that was changed or deleted. */
export interface Change {
  readonly id: number;
  readonly realmId: RealmId;
  readonly messageId: number;
}

export const nextChanges = (db: Knex, most: number): Promise<Change[]> =>
  db('chat_search_changes')
    .orderBy('id')
    .limit(most)
    .select({ id: 'id', realmId: 'realm_id', messageId: 'message_id' });

/** Removes the words of a changed message. Returns false if another worker has indexed it again already. */
export async function takeChange(db: Knex, { id, realmId, messageId }: Change): Promise<boolean> {
  if ((await db('chat_search_changes').where({ id }).delete()) === 0) return false;
  await db('chat_search').where({ realm_id: realmId, message_id: messageId }).delete();
  return true;
}

/** As it is now; undefined where it was deleted. */
export const messageOf = (db: Knex, { realmId, messageId }: Change): Promise<Indexable | undefined> =>
  db('chat_messages')
    .where({ realm_id: realmId, id: messageId })
    .first(...COLUMNS);
