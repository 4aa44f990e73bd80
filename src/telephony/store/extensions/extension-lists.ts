/** Pages of an instance's extensions. One index finds and sorts them; the rows are then fetched by key. */
import type { Knex } from 'knex';
import { readOfQuery, runRead, type Read } from '../../../kernel/mysql/read-packet';
import { offsetOf, type Listed, type Page } from '../../model/paging';
import { containing, countRead, listedRead } from '../reads';
import { extensionOf, type Row, type SealedExtension } from './extensions';

export interface ExtensionQuery {
  readonly filterBy?: 'unassigned' | 'softphone' | 'failed' | 'unregistered' | undefined;
  /** Only these extensions, by number. */
  readonly only?: readonly number[] | undefined;
  readonly search?: string | undefined;
  /** Sorts by user. */
  readonly byUser: boolean;
  /** Only extensions with a user, searched by user. */
  readonly ofUsers: boolean;
}

interface Asked {
  readonly query: ExtensionQuery;
  readonly page: Page;
}

/** Forces the index that covers the sort order and the search, because the optimiser would sort instead. */
const tableOf = (db: Knex, { byUser }: ExtensionQuery): Knex.QueryBuilder => {
  const index = byUser ? 'tel_extensions_by_user' : 'tel_extensions_listed';
  return db.queryBuilder().from(db.raw('tel_extensions FORCE INDEX (??)', [index]));
};

function matching(db: Knex, pbx: string, query: ExtensionQuery): Knex.QueryBuilder {
  const { search = '' } = query;
  const like = containing(search.toLowerCase());
  const found = tableOf(db, query).where({ pbx, is_visible: true });
  if (query.filterBy === 'unassigned') void found.where('user_text', '');
  if (query.filterBy === 'softphone') void found.where('purpose', 'mobile-app');
  if (query.only) void found.whereIn('number', query.only);
  if (query.ofUsers) void found.whereNot('user_text', '');
  if (search === '') return found;
  if (query.ofUsers) return found.where('user_text', 'like', like);
  return found.where((either) => void either.where('search_text', 'like', like).orWhere('user_text', 'like', like));
}

/** Extensions without a user come last. */
const orderOf = ({ byUser }: ExtensionQuery): string[] => (byUser ? ['is_alone', 'user_text', 'number'] : ['number']);

const pageOf = (db: Knex, pbx: string, { query, page }: Asked): Knex.QueryBuilder =>
  matching(db, pbx, query).orderBy(orderOf(query)).limit(page.size).offset(offsetOf(page));

/** Returns one page and the total count. */
export const pageExtensions = (db: Knex, pbx: string, asked: Asked): Promise<Listed<SealedExtension>> =>
  isSearch(asked) ? pageOfFound(db, pbx, asked) : runRead(db, pageRead(db, pbx, asked));

export const isSearch = ({ query }: Pick<Asked, 'query'>): boolean => (query.search ?? '') !== '';

/** Without a search, reading the index up to the page and counting are both cheap. */
export function pageRead(db: Knex, pbx: string, asked: Asked): Read<Listed<SealedExtension>> {
  const ids = pageOf(db, pbx, asked).select('id');
  const rows = db('tel_extensions')
    .join(ids.as('page'), 'page.id', 'tel_extensions.id')
    .select('tel_extensions.*')
    .orderBy(orderOf(asked.query));
  const items = readOfQuery(rows, (found: readonly Row[]) => found.map(extensionOf));
  return listedRead(items, countRead(matching(db, pbx, asked.query)));
}

/** A search scans the whole index, so it counts the matches as it goes. */
async function pageOfFound(db: Knex, pbx: string, asked: Asked): Promise<Listed<SealedExtension>> {
  const { sql, bindings } = pageOf(db, pbx, asked).select(db.raw('SQL_CALC_FOUND_ROWS id')).toSQL();
  // In one packet, because FOUND_ROWS() belongs to the connection.
  const [[found, [counted]]] = (await db.raw(`${sql}; SELECT FOUND_ROWS() AS total`, bindings as never)) as [
    [{ id: string }[], [{ total: number }]],
  ];
  const ids = found.map(({ id }) => id);
  const rows = (ids.length === 0 ? [] : await db('tel_extensions').whereIn('id', ids)) as Row[];
  const byId = new Map(rows.map((row) => [String(row.id), row]));
  const items = ids.flatMap((id) => byId.get(id) ?? []).map(extensionOf);
  return { total: counted.total, items };
}
