/** Rows of tel_opt_outs: pairs of one of our numbers and a number that wants no texts from it. */
import type { Knex } from 'knex';
import { newId } from '../../../kernel/id';
import type { CompanyId } from '../../model/companies/company';
import type { Listed, Listing } from '../../model/paging';
import type { OptOut, OptOutSource } from '../../model/texting/opt-out';
import type { E164 } from '../../model/texting/texting';
import { pageOf } from '../reads';

const COLUMNS: Readonly<Record<keyof OptOut, string>> = {
  id: 'id',
  companyId: 'company_id',
  ourNumber: 'our_number',
  theirNumber: 'their_number',
  source: 'source',
  createdAt: 'created_at',
};

export type Pair = Pick<OptOut, 'companyId' | 'ourNumber' | 'theirNumber'>;

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
  return (await db('tel_opt_outs').where(rowOf(pair)).first(COLUMNS)) as OptOut | undefined;
}

export async function byId(db: Knex, companyId: CompanyId, id: string): Promise<OptOut | undefined> {
  return (await db('tel_opt_outs').where({ company_id: companyId, id }).first(COLUMNS)) as OptOut | undefined;
}

export interface OptOutFilter {
  readonly ourNumber?: E164 | undefined;
  readonly theirNumber?: E164 | undefined;
}

/** Newest first. */
export const list = (
  db: Knex,
  companyId: CompanyId,
  { filter: { ourNumber, theirNumber }, page }: Listing<OptOutFilter>,
): Promise<Listed<OptOut>> => {
  const found = db('tel_opt_outs').where({ company_id: companyId });
  if (ourNumber !== undefined) void found.where('our_number', ourNumber);
  if (theirNumber !== undefined) void found.where('their_number', theirNumber);
  const newestFirst = ['created_at', 'id'].map((column) => ({ column, order: 'desc' }));
  return pageOf(db, found.orderBy(newestFirst).select(COLUMNS), page);
};
