/** Pages of an instance's extensions: found in one index, fetched by key. */
import type { Knex } from 'knex';
import { offsetOf, type Listed, type Page } from '../model/paging';
import { extensionOf, type Row, type SealedExtension } from './extensions';

export interface ExtensionQuery {
  readonly filterBy?: 'unassigned' | 'softphone' | undefined;
  readonly search?: string | undefined;
  /** Sorted by user. */
  readonly byUser: boolean;
  /** Only those that have a user, and searched by user. */
  readonly ofUsers: boolean;
}

const like = (search: string): string => `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;

function matching(db: Knex, pbx: string, query: ExtensionQuery): Knex.QueryBuilder {
  const { search = '' } = query;
  const found = db('tel_extensions').where({ pbx, is_visible: true });
  if (query.filterBy === 'unassigned') void found.where('user_text', '');
  if (query.filterBy === 'softphone') void found.where('purpose', 'mobile-app');
  if (query.ofUsers) void found.whereNot('user_text', '');
  if (search === '') return found;
  if (query.ofUsers) return found.where('user_text', 'like', like(search));
  return found.where(
    (either) => void either.where('search_text', 'like', like(search)).orWhere('user_text', 'like', like(search)),
  );
}

const BY_NUMBER = [{ column: 'number' }];
/** Those without a user come last. */
const BY_USER = [{ column: 'is_alone' }, { column: 'user_text' }, { column: 'number' }];

/** One page, and how many there are in all. */
export async function pageExtensions(
  db: Knex,
  pbx: string,
  { query, page }: { query: ExtensionQuery; page: Page },
): Promise<Listed<SealedExtension>> {
  // A search looks at every entry and counts what it finds on the way; without one, counting alone is cheaper.
  const readsAll = (query.search ?? '') !== '';
  const ids = matching(db, pbx, query)
    .select('id', db.raw("(user_text = '') AS is_alone"), db.raw(`${readsAll ? 'COUNT(*) OVER ()' : '0'} AS total`))
    .orderBy(query.byUser ? BY_USER : BY_NUMBER)
    .limit(page.size)
    .offset(offsetOf(page));
  const order = query.byUser ? BY_USER : [{ column: 'tel_extensions.number' }];
  const [rows, counted] = await Promise.all([
    db('tel_extensions')
      .join(ids.as('page'), 'page.id', 'tel_extensions.id')
      .select('tel_extensions.*', 'page.total')
      .orderBy(order) as unknown as Promise<(Row & { total: number })[]>,
    readsAll ? undefined : (matching(db, pbx, query).count({ total: '*' }) as unknown as Promise<[{ total: number }]>),
  ]);
  return { total: counted?.[0].total ?? rows[0]?.total ?? 0, items: rows.map(extensionOf) };
}
