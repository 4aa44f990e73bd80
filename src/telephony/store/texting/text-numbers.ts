/** Rows of tel_text_numbers: the numbers that companies text from. */
import type { Knex } from 'knex';
import type { CompanyId } from '../../model/companies/company';
import type { CarrierAccountId, E164 } from '../../model/texting/texting';

export interface TextNumber {
  readonly e164: E164;
  readonly companyId: CompanyId;
  readonly carrierAccountId: CarrierAccountId;
  readonly label: string;
  readonly createdAt: Date;
}

const COLUMNS: Readonly<Record<keyof TextNumber, string>> = {
  e164: 'e164',
  companyId: 'company_id',
  carrierAccountId: 'carrier_account_id',
  label: 'label',
  createdAt: 'created_at',
};

export async function insert(db: Knex, number: Omit<TextNumber, 'createdAt'>): Promise<void> {
  await db('tel_text_numbers').insert({
    e164: number.e164,
    company_id: number.companyId,
    carrier_account_id: number.carrierAccountId,
    label: number.label,
    created_at: db.raw('NOW(3)'),
  });
}

/** Finds a number of any company, for calls from carriers. */
export async function byE164(db: Knex, e164: E164): Promise<TextNumber | undefined> {
  return (await db('tel_text_numbers').where({ e164 }).first(COLUMNS)) as TextNumber | undefined;
}

export async function ofCompany(db: Knex, companyId: CompanyId, e164: E164): Promise<TextNumber | undefined> {
  const own = { company_id: companyId, e164 };
  return (await db('tel_text_numbers').where(own).first(COLUMNS)) as TextNumber | undefined;
}

/** Companies have few numbers; no more than this are listed. */
const MAX_LISTED = 1000;

export async function list(db: Knex, companyId: CompanyId): Promise<TextNumber[]> {
  return (await db('tel_text_numbers')
    .where({ company_id: companyId })
    .orderBy('e164')
    .limit(MAX_LISTED)
    .select(COLUMNS)) as TextNumber[];
}

/** A number as operators see it. */
export interface NumberLine extends Pick<TextNumber, 'e164' | 'label'> {
  readonly carrier: string;
  readonly accountId: CarrierAccountId;
}

/** The numbers of all companies. */
export async function lines(db: Knex): Promise<(NumberLine & { readonly companyName: string })[]> {
  return (await db('tel_text_numbers as number')
    .join('tel_companies as company', 'company.id', 'number.company_id')
    .join('tel_carrier_accounts as account', 'account.id', 'number.carrier_account_id')
    .orderBy('number.e164')
    .select({
      e164: 'number.e164',
      label: 'number.label',
      carrier: 'account.carrier',
      accountId: 'account.id',
      companyName: 'company.name',
    })) as (NumberLine & { companyName: string })[];
}

export async function ofAccount(db: Knex, accountId: CarrierAccountId): Promise<E164[]> {
  return (await db('tel_text_numbers')
    .where({ carrier_account_id: accountId })
    .orderBy('e164')
    .pluck('e164')) as E164[];
}

export async function isOnAccount(db: Knex, accountId: CarrierAccountId): Promise<boolean> {
  return (await db('tel_text_numbers').where({ carrier_account_id: accountId }).first('e164')) !== undefined;
}

/** Returns whether there was one. */
export async function remove(db: Knex, e164: E164): Promise<boolean> {
  return (await db('tel_text_numbers').where({ e164 }).delete()) > 0;
}
