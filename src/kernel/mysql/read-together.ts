/** Reads what several queries find in one round trip, as one statement. */
import type { Knex } from 'knex';
import { send, type Rows } from './direct';

export type Query = Knex.QueryBuilder;
/** A query, or what has been compiled of one. */
export type Compilable = Pick<Query, 'toSQL'>;

/**
 * Returns the rows of each query. All select these columns, under these names. If they fail together, each is sent alone:
 * one that is broken or slow must not hide what the others find.
 */
export async function readTogether<Row>(
  db: Knex,
  columns: string,
  queries: readonly Compilable[],
): Promise<(readonly Row[] | Error)[]> {
  try {
    return await readUnion(db, columns, queries);
  } catch (error) {
    if (queries.length < 2) return queries.map(() => error as Error);
    const alone: (readonly Row[] | Error)[] = [];
    for (const query of queries) alone.push(...(await readTogether<Row>(db, columns, [query])));
    return alone;
  }
}

async function readUnion<Row>(db: Knex, columns: string, queries: readonly Compilable[]): Promise<Row[][]> {
  if (queries.length === 0) return [];
  const parts = queries.map((query) => query.toSQL());
  const sql = parts
    .map((part, index) => `SELECT ${index} AS part, ${columns} FROM (${part.sql}) AS found`)
    .join(' UNION ALL ');
  const rows = (await send(
    db,
    sql,
    parts.flatMap(({ bindings }) => bindings),
  )) as Rows;
  const found = queries.map((): Row[] => []);
  for (const { part, ...row } of rows) found[part as number]!.push(row as Row);
  return found;
}
