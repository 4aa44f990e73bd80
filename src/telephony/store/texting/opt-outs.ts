/** Rows of tel_opt_outs: pairs of one of our numbers and a number that wants no texts from it. */
import type { Knex } from 'knex';
import { countRows } from '../../../kernel/mysql/sql-parts';
import { newId } from '../../../kernel/id';
import type { CompanyId } from '../../model/companies/company';
import { offsetOf, type Page } from '../../model/paging';
import type { OptOut, OptOutSource } from '../../model/texting/opt-out';
import type { E164 } from '../../model/texting/texting';

interface Row {
  id: string;
  company_id: CompanyId;
  our_number: E164;
  their_number: E164;
  source: OptOutSource;
  created_at: Date;
}

const optOutOf = (row: Row): OptOut => ({
  id: row.id,
  companyId: row.company_id,
  ourNumber: row.our_number,
  theirNumber: row.their_number,
  source: row.source,
  createdAt: row.created_at,
});

export interface Pair {
  readonly companyId: CompanyId;
  readonly ourNumber: E164;
  readonly theirNumber: E164;
}

const rowOf = ({ companyId, ourNumber, theirNumber }: Pair) => ({
  company_id: companyId,
  our_number: ourNumber,
  their_number: theirNumber,
});

/** An existing opt-out keeps its date. */
export async function insert(db: Knex, pair: Pair, source: OptOutSource): Promise<void> {
  await db('tel_opt_outs')
    .insert({ id: newId(), ...rowOf(pair), source, created_at: db.raw('NOW(3)') })
    .onConflict()
    .ignore();
}

export async function remove(db: Knex, pair: Pair): Promise<void> {
  await db('tel_opt_outs').where(rowOf(pair)).delete();
}

export async function byPair(db: Knex, pair: Pair): Promise<OptOut | undefined> {
  const row = (await db('tel_opt_outs').where(rowOf(pair)).first()) as Row | undefined;
  return row && optOutOf(row);
}

export async function byId(db: Knex, companyId: CompanyId, id: string): Promise<OptOut | undefined> {
  const row = (await db('tel_opt_outs').where({ company_id: companyId, id }).first()) as Row | undefined;
  return row && optOutOf(row);
}

export interface OptOutFilter {
  readonly ourNumber?: E164 | undefined;
  readonly theirNumber?: E164 | undefined;
}

const matching = (db: Knex, companyId: CompanyId, { ourNumber, theirNumber }: OptOutFilter) =>
  db('tel_opt_outs')
    .where({ company_id: companyId })
    .modify((query) => {
      if (ourNumber !== undefined) void query.where('our_number', ourNumber);
      if (theirNumber !== undefined) void query.where('their_number', theirNumber);
    });

export const countMatching = (db: Knex, companyId: CompanyId, filter: OptOutFilter): Promise<number> =>
  countRows(matching(db, companyId, filter));

/** Newest first. */
export async function list(
  db: Knex,
  companyId: CompanyId,
  { filter, page }: { filter: OptOutFilter; page: Page },
): Promise<OptOut[]> {
  const rows = (await matching(db, companyId, filter)
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(page.size)
    .offset(offsetOf(page))) as Row[];
  return rows.map(optOutOf);
}
