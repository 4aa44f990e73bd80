/** Parts of reads that many stores share: one row, one page of a list, searched text, and columns in handwritten SQL. */
import type { Knex } from 'knex';
import { readOfQuery, runRead, together, type Read } from '../../kernel/mysql/read-packet';
import { offsetOf, type Listed, type Page } from '../model/paging';

/** The row that a query finds, as `read` understands it. */
export async function firstOf<Row, T>(query: Knex.QueryBuilder, read: (row: Row) => T): Promise<T | undefined> {
  const row = (await query.first()) as Row | undefined;
  return row && read(row);
}

/** One page of what a query finds, and how many rows it finds in all, in one round trip. */
export const pageOf = <T>(db: Knex, query: Knex.QueryBuilder, page: Page): Promise<Listed<T>> =>
  runRead(
    db,
    listedRead(
      readOfQuery(query.clone().limit(page.size).offset(offsetOf(page)), (rows: readonly T[]) => [...rows]),
      countRead(query.clone().clearSelect().clearOrder()),
    ),
  );

export const countRead = (query: Knex.QueryBuilder): Read<number> =>
  readOfQuery(query.count({ count: '*' }), ([row]: readonly { readonly count: number }[]) => row!.count);

export const listedRead = <T>(items: Read<T[]>, total: Read<number>): Read<Listed<T>> => together({ items, total });

/** The pattern for LIKE of everything that contains the text. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** The columns by the names that they get, as they stand behind SELECT. */
export const selected = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, column]) => `${column} AS \`${name}\``)
    .join(', ');
