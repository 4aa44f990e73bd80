/** Rows of tel_texting_contacts: people outside the company, one row per number. */
import type { Knex } from 'knex';
import { newId } from '../../../kernel/id';
import type { CompanyId } from '../../model/companies/company';
import type { Listed, Listing } from '../../model/paging';
import type { TextingContact } from '../../model/texting/conversation';
import type { EnteredNumber } from '../../model/texting/phone-number';
import type { E164, TextingContactId } from '../../model/texting/texting';
import { containing, pageOf } from '../reads';

/** Of the table as `k`. */
export const COLUMNS: Readonly<Record<keyof TextingContact, string>> = {
  id: 'k.id',
  companyId: 'k.company_id',
  number: 'k.number',
  firstName: 'k.first_name',
  lastName: 'k.last_name',
  createdAt: 'k.created_at',
  updatedAt: 'k.updated_at',
};

const all = (db: Knex, companyId: CompanyId) => db('tel_texting_contacts as k').where('k.company_id', companyId);
const live = (db: Knex, companyId: CompanyId) => all(db, companyId).where('k.is_removed', false);

/** Returns the contacts of these numbers in order. Unknown numbers get a contact without a name. */
export async function ensureAll(
  db: Knex,
  companyId: CompanyId,
  numbers: readonly EnteredNumber[],
): Promise<TextingContact[]> {
  const wanted = numbers.map(({ e164 }) => e164);
  const find = async () => {
    const found = (await all(db, companyId).whereIn('k.number', wanted).select(COLUMNS)) as TextingContact[];
    return new Map(found.map((contact) => [contact.number, contact]));
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

export async function byIds(db: Knex, companyId: CompanyId, ids: readonly string[]): Promise<TextingContact[]> {
  if (ids.length === 0) return [];
  return (await live(db, companyId).whereIn('k.id', ids).select(COLUMNS)) as TextingContact[];
}

/** Locks this contact's row. */
export async function lock(db: Knex, companyId: CompanyId, id: string): Promise<TextingContact | undefined> {
  return (await live(db, companyId).where('k.id', id).forUpdate().first(COLUMNS)) as TextingContact | undefined;
}

/** Locks the contact with this number, even if it was removed. */
export async function lockByNumber(
  db: Knex,
  companyId: CompanyId,
  number: E164,
): Promise<(TextingContact & { isRemoved: number }) | undefined> {
  return all(db, companyId)
    .where('k.number', number)
    .forUpdate()
    .first({ ...COLUMNS, isRemoved: 'k.is_removed' });
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
  const digits = search.replace(/[\s().+-]/g, '');
  void query.whereRaw("CONCAT(k.first_name, ' ', k.last_name) LIKE ?", [containing(search)]);
  if (/^\d+$/.test(digits)) void query.orWhere('k.number', 'like', `%${digits}%`);
}

/** By name. */
export const list = (
  db: Knex,
  companyId: CompanyId,
  { filter: { number, search }, page }: Listing<ContactFilter>,
): Promise<Listed<TextingContact>> => {
  const found = live(db, companyId);
  if (number !== undefined) void found.where('k.number', number);
  if (search !== undefined) void found.where((part) => matchText(part, search));
  return pageOf(db, found.orderBy(['k.first_name', 'k.last_name', 'k.id']).select(COLUMNS), page);
};
