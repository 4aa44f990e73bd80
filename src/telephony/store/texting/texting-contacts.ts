/** Rows of tel_texting_contacts: people outside the company, one row per number. */
import type { Knex } from 'knex';
import { countRows } from '../../../kernel/mysql/sql-parts';
import { newId } from '../../../kernel/id';
import type { CompanyId } from '../../model/companies/company';
import { offsetOf, type Page } from '../../model/paging';
import type { TextingContact } from '../../model/texting/conversation';
import type { EnteredNumber } from '../../model/texting/phone-number';
import type { E164, TextingContactId } from '../../model/texting/texting';

export interface ContactRow {
  id: TextingContactId;
  company_id: CompanyId;
  number: E164;
  first_name: string;
  last_name: string;
  is_removed: number;
  created_at: Date;
  updated_at: Date;
}

export const COLUMNS = [
  'id',
  'company_id',
  'number',
  'first_name',
  'last_name',
  'is_removed',
  'created_at',
  'updated_at',
] as const;

export const contactOf = (row: ContactRow): TextingContact => ({
  id: row.id,
  companyId: row.company_id,
  number: row.number,
  firstName: row.first_name,
  lastName: row.last_name,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Returns the contacts of these numbers in order. Unknown numbers get a contact without a name. */
export async function ensureAll(
  db: Knex,
  companyId: CompanyId,
  numbers: readonly EnteredNumber[],
): Promise<TextingContact[]> {
  const wanted = numbers.map(({ e164 }) => e164);
  const find = async () => {
    const query = db('tel_texting_contacts').where({ company_id: companyId }).whereIn('number', wanted);
    const rows = (await query.select(...COLUMNS)) as ContactRow[];
    return new Map(rows.map((row) => [row.number, contactOf(row)]));
  };
  let known = await find();
  const missing = numbers.filter(({ e164 }) => !known.has(e164));
  if (missing.length > 0) {
    const now = db.raw('NOW(3)');
    const rows = missing.map(({ e164, raw }) => ({
      id: newId(),
      company_id: companyId,
      number: e164,
      raw_number: raw,
      first_name: '',
      last_name: '',
      created_at: now,
      updated_at: now,
    }));
    // If another transaction inserts them at the same time, its rows are used.
    await db('tel_texting_contacts').insert(rows).onConflict().ignore();
    known = await find();
  }
  return wanted.map((number) => known.get(number)!);
}

const live = (db: Knex, companyId: CompanyId) =>
  db('tel_texting_contacts').where({ company_id: companyId, is_removed: false });

export async function byIds(db: Knex, companyId: CompanyId, ids: readonly string[]): Promise<TextingContact[]> {
  if (ids.length === 0) return [];
  const rows = (await live(db, companyId)
    .whereIn('id', ids)
    .select(...COLUMNS)) as ContactRow[];
  return rows.map(contactOf);
}

/** Locks this contact's row. */
export async function lock(db: Knex, companyId: CompanyId, id: string): Promise<TextingContact | undefined> {
  const row = (await live(db, companyId)
    .where({ id })
    .forUpdate()
    .first(...COLUMNS)) as ContactRow | undefined;
  return row && contactOf(row);
}

/** Locks the contact with this number, even if it was removed. */
export async function lockByNumber(
  db: Knex,
  companyId: CompanyId,
  number: E164,
): Promise<(TextingContact & { isRemoved: boolean }) | undefined> {
  const row = (await db('tel_texting_contacts')
    .where({ company_id: companyId, number })
    .forUpdate()
    .first(...COLUMNS)) as ContactRow | undefined;
  return row && { ...contactOf(row), isRemoved: row.is_removed === 1 };
}

export interface ContactFields {
  readonly number?: EnteredNumber | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}

/** Updates the given fields, and restores a removed contact. */
export async function update(db: Knex, id: TextingContactId, fields: ContactFields): Promise<void> {
  const { number, firstName, lastName } = fields;
  await db('tel_texting_contacts')
    .where({ id })
    .update({
      ...(number === undefined ? {} : { number: number.e164, raw_number: number.raw }),
      ...(firstName === undefined ? {} : { first_name: firstName }),
      ...(lastName === undefined ? {} : { last_name: lastName }),
      is_removed: false,
      updated_at: db.raw('NOW(3)'),
    });
}

/** Clears the name and hides the contact. The number stays for its conversations. */
export async function remove(db: Knex, id: TextingContactId): Promise<void> {
  await db('tel_texting_contacts')
    .where({ id })
    .update({ first_name: '', last_name: '', is_removed: true, updated_at: db.raw('NOW(3)') });
}

export interface ContactFilter {
  readonly number?: E164 | undefined;
  readonly search?: string | undefined;
}

/** Matches any part of a name or number. */
export function matchText(query: Knex.QueryBuilder, search: string): void {
  const part = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const digits = search.replace(/[\s().+-]/g, '');
  void query.whereRaw("CONCAT(k.first_name, ' ', k.last_name) LIKE ?", [part]);
  if (/^\d+$/.test(digits)) void query.orWhere('k.number', 'like', `%${digits}%`);
}

const matching = (db: Knex, companyId: CompanyId, { number, search }: ContactFilter) =>
  db('tel_texting_contacts as k')
    .where({ 'k.company_id': companyId, 'k.is_removed': false })
    .modify((query) => {
      if (number !== undefined) void query.where('k.number', number);
      if (search !== undefined) void query.where((part) => matchText(part, search));
    });

export const countMatching = (db: Knex, companyId: CompanyId, filter: ContactFilter): Promise<number> =>
  countRows(matching(db, companyId, filter));

export async function list(
  db: Knex,
  companyId: CompanyId,
  { filter, page }: { filter: ContactFilter; page: Page },
): Promise<TextingContact[]> {
  const rows = (await matching(db, companyId, filter)
    .orderBy(['k.first_name', 'k.last_name', 'k.id'])
    .limit(page.size)
    .offset(offsetOf(page))
    .select(COLUMNS.map((column) => `k.${column}`))) as ContactRow[];
  return rows.map(contactOf);
}
