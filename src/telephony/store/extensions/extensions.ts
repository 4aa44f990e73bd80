/** Rows of tel_extensions. Credentials go in and out encrypted. */
import type { Knex } from 'knex';
import { claimOf } from '../../model/arrangements/arrangement';
import type { CompanyId } from '../../model/companies/company';
import type { ContactId } from '../../model/contacts/contact';
import {
  searchText,
  type Extension,
  type ExtensionData,
  type ExtensionId,
  type Purpose,
} from '../../model/extensions/extension';
import type { ExtensionBrief } from '../../model/wire';
import { firstOf } from '../reads';

/** An extension whose credentials are still encrypted. */
export type SealedExtension = Omit<Extension, 'credentials'> & { readonly credentials: string };

export interface Row {
  id: ExtensionId;
  company_id: CompanyId;
  pbx: string;
  number: number;
  user_id: ContactId | null;
  location_id: string;
  purpose: Purpose;
  is_visible: number;
  data: string;
  credentials: string;
  created_at: Date;
  updated_at: Date;
}

export const extensionOf = (row: Row): SealedExtension => ({
  id: row.id,
  companyId: row.company_id,
  pbx: row.pbx,
  number: row.number,
  userId: row.user_id,
  locationId: row.location_id,
  purpose: row.purpose,
  isVisible: row.is_visible === 1,
  data: JSON.parse(row.data) as ExtensionData,
  credentials: row.credentials,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export type ExtensionContent = Pick<
  SealedExtension,
  'userId' | 'locationId' | 'purpose' | 'data' | 'credentials' | 'number'
> & { readonly userText: string };

const contentOf = (content: ExtensionContent) => ({
  name: String(content.data['name']),
  description: String(content.data['description']),
  user_id: content.userId,
  location_id: content.locationId,
  purpose: content.purpose,
  data: JSON.stringify(content.data),
  credentials: content.credentials,
  search_text: searchText(content.number, content.data),
  user_text: content.userText,
});

/**
 * Reserves the number with a hidden extension, unless a ring group has it: then there is none when the order is carried
 * out. So that an order costs no further read.
 */
export function reserve(
  db: Knex,
  extension: ExtensionContent & Pick<SealedExtension, 'id' | 'companyId' | 'pbx'>,
): Knex.Raw {
  const { id, companyId, pbx, number } = extension;
  const line = { id, company_id: companyId, pbx, number, is_visible: 0, ...contentOf(extension) };
  const names = Object.keys(line);
  const group = claimOf('ring-group', { uuid: pbx, address: '' }, number);
  return db.raw(
    `INSERT INTO tel_extensions (${names.join(', ')}, created_at, updated_at) ` +
      `SELECT ${names.map(() => '?').join(', ')}, NOW(3), NOW(3) FROM DUAL ` +
      "WHERE NOT EXISTS (SELECT 1 FROM tel_arrangements WHERE kind = 'ring-group' AND claim = ?)",
    [...Object.values(line), group] as Knex.RawBinding[],
  );
}

export const show = (db: Knex, id: ExtensionId): Knex.QueryBuilder =>
  db('tel_extensions').where({ id }).update({ is_visible: true });

export const update = (db: Knex, id: ExtensionId, content: ExtensionContent): Knex.QueryBuilder =>
  db('tel_extensions')
    .where({ id })
    .update({ ...contentOf(content), updated_at: db.raw('NOW(3)') });

export const keepCredentials = (db: Knex, id: ExtensionId, credentials: string): Knex.QueryBuilder =>
  db('tel_extensions')
    .where({ id })
    .update({ credentials, updated_at: db.raw('NOW(3)') });

export const remove = (db: Knex, id: ExtensionId): Knex.QueryBuilder => db('tel_extensions').where({ id }).delete();

/** Deletes an extension that is still hidden, which frees its number. */
export async function release(db: Knex, id: string): Promise<void> {
  await db('tel_extensions').where({ id, is_visible: false }).delete();
}

/** Finds any extension of the instance, including hidden ones. */
export const byId = (db: Knex, pbx: string, id: string): Promise<SealedExtension | undefined> =>
  firstOf(db('tel_extensions').where({ pbx, id }), extensionOf);

export const byNumber = (db: Knex, pbx: string, number: number): Promise<SealedExtension | undefined> =>
  firstOf(db('tel_extensions').where({ pbx, number }), extensionOf);

export async function byNumbers(db: Knex, pbx: string, numbers: readonly number[]): Promise<SealedExtension[]> {
  if (numbers.length === 0) return [];
  return ((await db('tel_extensions').where({ pbx }).whereIn('number', numbers)) as Row[]).map(extensionOf);
}

export async function ofUser(db: Knex, companyId: CompanyId, userId: ContactId): Promise<SealedExtension[]> {
  const rows = (await db('tel_extensions')
    .where({ company_id: companyId, user_id: userId, is_visible: true })
    .orderBy('number')) as Row[];
  return rows.map(extensionOf);
}

export async function ofNobody(db: Knex, companyId: CompanyId, most: number): Promise<SealedExtension[]> {
  const rows = (await db('tel_extensions')
    .where({ company_id: companyId, is_visible: true, user_id: null })
    .orderBy('number')
    .limit(most)) as Row[];
  return rows.map(extensionOf);
}

/** The extension with the lowest number of each contact. */
export async function briefs(db: Knex, users: readonly ContactId[]): Promise<Map<ContactId, ExtensionBrief>> {
  if (users.length === 0) return new Map();
  const rows = (await db('tel_extensions')
    .whereIn('user_id', users)
    .where({ is_visible: true })
    .orderBy('number', 'desc')
    .select('user_id', 'id', 'number', 'name', 'description')) as (ExtensionBrief & { user_id: ContactId })[];
  return new Map(rows.map((row) => [row.user_id, row]));
}

export interface Holding {
  readonly userId: ContactId;
  readonly number: number;
}

/** Which contact has which numbers, in their order. */
export async function holdings(db: Knex, companyId: CompanyId, most: number): Promise<Holding[]> {
  return (await db('tel_extensions')
    .where({ company_id: companyId, is_visible: true })
    .whereNotNull('user_id')
    .orderBy('number')
    .limit(most)
    .select('number', { userId: 'user_id' })) as Holding[];
}

export async function hasUser(db: Knex, userId: ContactId): Promise<boolean> {
  return (await db('tel_extensions').where({ user_id: userId, is_visible: true }).first('id')) !== undefined;
}

export async function isAtLocation(db: Knex, locationId: string): Promise<boolean> {
  return (await db('tel_extensions').where({ location_id: locationId }).first('id')) !== undefined;
}

export async function isOnInstance(db: Knex, pbx: string): Promise<boolean> {
  return (await db('tel_extensions').where({ pbx }).first('id')) !== undefined;
}

/** Updates the copy of a renamed contact's name that searches and sorting use. */
export async function renameUser(db: Knex, userId: ContactId, userText: string): Promise<void> {
  await db('tel_extensions').where({ user_id: userId }).update({ user_text: userText });
}

export async function unassign(db: Knex, userId: ContactId): Promise<void> {
  await db('tel_extensions').where({ user_id: userId }).update({ user_id: null, user_text: '' });
}

/** The numbers of an instance's extensions. */
export async function numbersOn(db: Knex, pbx: string): Promise<number[]> {
  return (await db('tel_extensions').where({ pbx, is_visible: true }).orderBy('number').pluck('number')) as number[];
}

/** All extensions of an instance, including hidden ones. */
export async function ofInstance(db: Knex, pbx: string): Promise<SealedExtension[]> {
  return ((await db('tel_extensions').where({ pbx }).orderBy('number')) as Row[]).map(extensionOf);
}
