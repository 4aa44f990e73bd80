/** Rows of tel_companies. */
import type { Knex } from 'knex';
import { readOf, runRead, together } from '../../../kernel/mysql/read-packet';
import { countRows } from '../../../kernel/mysql/sql-parts';
import type { Tenant } from '../../../kernel/actor/address';
import { ACCESS_LOG } from '../../model/companies/key';
import { companyTenant, type Company, type CompanyDetails, type CompanyId } from '../../model/companies/company';
import { containing, firstOf, selected } from '../reads';

const COLUMNS: Readonly<Record<keyof Company, string>> = {
  id: 'id',
  name: 'name',
  status: 'status',
  details: 'details',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

type Row = Omit<Company, 'details'> & { readonly details: string };

const companyOf = (row: Row): Company => ({
  ...row,
  details: JSON.parse(row.details) as CompanyDetails,
});

export const byId = (db: Knex, id: CompanyId): Promise<Company | undefined> =>
  firstOf(db('tel_companies').where({ id }).select(COLUMNS), companyOf);

/** A company and the number of its contacts, in one round trip. */
export const withContacts = (db: Knex, id: CompanyId): Promise<{ company: Company | undefined; contacts: number }> =>
  runRead(
    db,
    together({
      company: readOf(
        `SELECT ${selected(COLUMNS)} FROM tel_companies WHERE id = ?`,
        [id],
        ([row]: readonly Row[]) => row && companyOf(row),
      ),
      contacts: readOf(
        'SELECT COUNT(*) AS count FROM tel_contacts WHERE company_id = ?',
        [id],
        ([row]: readonly { readonly count: number }[]) => row!.count,
      ),
    }),
  );

export async function insert(db: Knex, company: Pick<Company, 'id' | 'name' | 'details'>): Promise<void> {
  const { id, name, details } = company;
  const now = db.raw('NOW(3)');
  await db('tel_companies').insert({
    id,
    name,
    status: 'active',
    details: JSON.stringify(details),
    created_at: now,
    updated_at: now,
  });
}

export async function isEmpty(db: Knex): Promise<boolean> {
  return (await db('tel_companies').first('id')) === undefined;
}

export async function update(db: Knex, { id, name, details }: Pick<Company, 'id' | 'name' | 'details'>): Promise<void> {
  await db('tel_companies')
    .where({ id })
    .update({ name, details: JSON.stringify(details), updated_at: db.raw('NOW(3)') });
}

/** Locks this company's row until the transaction ends. */
export async function lock(db: Knex, id: CompanyId): Promise<void> {
  await db('tel_companies').where({ id }).forUpdate().first('id');
}

export interface CompanyLine extends Pick<Company, 'id' | 'name' | 'status' | 'createdAt'> {
  readonly contacts: number;
}

export async function list(db: Knex): Promise<CompanyLine[]> {
  return (await db('tel_companies')
    .leftJoin('tel_contacts', 'tel_contacts.company_id', 'tel_companies.id')
    .groupBy('tel_companies.id')
    .orderBy('tel_companies.name')
    .select('tel_companies.id', 'tel_companies.name', 'tel_companies.status', {
      createdAt: 'tel_companies.created_at',
    })
    .count({ contacts: 'tel_contacts.id' })) as unknown as CompanyLine[];
}

export async function named(db: Knex, ids: readonly string[]): Promise<Pick<Company, 'id' | 'name'>[]> {
  return (await db('tel_companies').whereIn('id', ids).select('id', 'name')) as Pick<Company, 'id' | 'name'>[];
}

export const idByName = (db: Knex, name: string): Promise<CompanyId | undefined> =>
  firstOf(db('tel_companies').where({ name }).select('id'), (row: { id: CompanyId }) => row.id);

export const count = (db: Knex): Promise<number> => countRows(db('tel_companies'));

/** The tenants that publish numbered events: all companies, and the log of revoked access. */
export async function tenants(db: Knex): Promise<Tenant[]> {
  return [ACCESS_LOG, ...((await db('tel_companies').pluck('id')) as CompanyId[]).map(companyTenant)];
}

export interface CompanySize {
  readonly id: CompanyId;
  readonly name: string;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly lastEnteredAt: Date | null;
  readonly people: number;
  readonly extensions: number;
  readonly conversations: number;
}

export interface WantedCompanies {
  readonly id?: string | undefined;
  readonly search?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Companies as operators see them, with their size and last activity. */
export async function listSizes(db: Knex, { id, search, after, limit }: WantedCompanies): Promise<CompanySize[]> {
  type Row = { id: CompanyId; name: string; status: string; created_at: Date };
  const wanted = db('tel_companies').orderBy('id').limit(limit);
  if (id !== undefined) wanted.where({ id });
  if (after !== undefined) wanted.where('id', '>', after);
  if (search !== undefined) wanted.where('name', 'like', containing(search));
  const rows = (await wanted.select('id', 'name', 'status', 'created_at')) as Row[];
  const ids = rows.map((row) => row.id);
  const countIn = async (table: string): Promise<Map<CompanyId, number>> => {
    const counted = (await db(table)
      .whereIn('company_id', ids)
      .groupBy('company_id')
      .select({ id: 'company_id' })
      .count({ count: '*' })) as { id: CompanyId; count: number }[];
    return new Map(counted.map((each) => [each.id, each.count]));
  };
  const [people, extensions, conversations, entered] = await Promise.all([
    countIn('tel_contacts'),
    countIn('tel_extensions'),
    countIn('tel_conversations'),
    db('tel_contacts').whereIn('company_id', ids).groupBy('company_id').select({ id: 'company_id' }).max({
      at: 'last_enter_at',
    }) as unknown as Promise<{ id: CompanyId; at: Date | null }[]>,
  ]);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    isActive: row.status === 'active',
    createdAt: row.created_at,
    lastEnteredAt: entered.find((each) => each.id === row.id)?.at ?? null,
    people: people.get(row.id) ?? 0,
    extensions: extensions.get(row.id) ?? 0,
    conversations: conversations.get(row.id) ?? 0,
  }));
}

export async function setActive(db: Knex, id: CompanyId, isActive: boolean): Promise<void> {
  await db('tel_companies')
    .where({ id })
    .update({ status: isActive ? 'active' : 'inactive', updated_at: db.raw('NOW(3)') });
}
