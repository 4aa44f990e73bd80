/** How stores read rows as values of the model, and how they write and delete them. */
import type { Knex } from 'knex';
import { groupBy } from '../../kernel/group';
import { realmTenant, type RealmId } from '../model/organisation/realm';

export async function readAll<Row, Value>(query: PromiseLike<unknown>, valueOf: (row: Row) => Value): Promise<Value[]> {
  return ((await query) as Row[]).map((row) => valueOf(row));
}

/** For queries that end with `first`. */
export async function readOne<Row, Value>(
  query: PromiseLike<unknown>,
  valueOf: (row: Row) => Value,
): Promise<Value | undefined> {
  const row = (await query) as Row | undefined;
  return row && valueOf(row);
}

/** One column of the first row. */
export async function readColumn<Value>(query: Knex.QueryBuilder, column: string): Promise<Value | undefined> {
  const row = (await query.first(column)) as Readonly<Record<string, Value>> | undefined;
  return row?.[column];
}

/** The values of each key, in their order. */
export function grouped<Key, Value>(pairs: readonly (readonly [Key, Value])[]): Map<Key, Value[]> {
  const groups = groupBy(pairs, ([key]) => key);
  return new Map([...groups].map(([key, group]) => [key, group.map(([, value]) => value)]));
}

/** Inserts a row, or changes these columns of the row with this key. */
export async function put(table: Knex.QueryBuilder, key: object, columns: object): Promise<void> {
  await table
    .insert({ ...key, ...columns })
    .onConflict()
    .merge(columns);
}

const MAX_INSERTED = 2000;

/** Inserts rows, a limited number at a time, and leaves those alone that exist already. */
export async function insertMissing(db: Knex, table: string, rows: readonly object[]): Promise<void> {
  for (let start = 0; start < rows.length; start += MAX_INSERTED) {
    await db(table)
      .insert(rows.slice(start, start + MAX_INSERTED))
      .onConflict()
      .ignore();
  }
}

const MAX_FORGOTTEN = 500;

/**
 * Deletes expired rows, a limited number at a time. Finds them first, then deletes them by primary key. A DELETE through
 * another index locks that index before the row. Writers lock them in the opposite order, which would cause deadlocks.
 */
export async function forgetRows(over: Knex.QueryBuilder, primaryKey: string): Promise<void> {
  const ids = (await over.clone().limit(MAX_FORGOTTEN).pluck(primaryKey)) as number[];
  // The conditions apply again, because a row may have been renewed meanwhile.
  if (ids.length > 0) await over.clone().whereIn(primaryKey, ids).delete();
}

/** The columns that chat's mail tables have in common. */
export const REALM_MAIL = {
  tenant: 'realm_id',
  tenantOf: (id: unknown) => realmTenant(id as RealmId),
  reason: 'error',
  maxReasonLength: 1000,
  dueAt: 'due_at',
} as const;
