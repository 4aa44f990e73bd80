/** Rows of tel_carrier_accounts. Tokens are found by hash; tokens and credentials are stored encrypted. */
import type { Knex } from 'knex';
import type { Secrets } from '../../../kernel/secrets/secrets';
import type { CompanyId } from '../../model/companies/company';
import type { CarrierAccount, CarrierName, Credentials } from '../../model/texting/carrier-account';
import type { CarrierAccountId } from '../../model/texting/texting';
import { firstOf } from '../reads';

interface Row {
  id: CarrierAccountId;
  company_id: CompanyId;
  carrier: CarrierName;
  api_url: string;
  sealed: string;
}

interface Sealed {
  readonly token: string;
  readonly credentials: Credentials;
}

const accountWith =
  (secrets: Secrets) =>
  (row: Row): CarrierAccount => ({
    id: row.id,
    companyId: row.company_id,
    carrier: row.carrier,
    apiUrl: row.api_url,
    ...(JSON.parse(secrets.decrypt(row.sealed)) as Sealed),
  });

export async function insert(db: Knex, secrets: Secrets, account: CarrierAccount): Promise<void> {
  const { id, companyId, carrier, apiUrl, token, credentials } = account;
  await db('tel_carrier_accounts').insert({
    id,
    company_id: companyId,
    carrier,
    api_url: apiUrl,
    token_hash: secrets.lookup(token),
    sealed: secrets.encrypt(JSON.stringify({ token, credentials } satisfies Sealed)),
    created_at: db.raw('NOW(3)'),
  });
}

/** Its token stays. */
export async function update(
  db: Knex,
  secrets: Secrets,
  { id, apiUrl, token, credentials }: CarrierAccount,
): Promise<void> {
  await db('tel_carrier_accounts')
    .where({ id })
    .update({ api_url: apiUrl, sealed: secrets.encrypt(JSON.stringify({ token, credentials } satisfies Sealed)) });
}

export const byTokenHash = (db: Knex, secrets: Secrets, hash: string): Promise<CarrierAccount | undefined> =>
  firstOf(db('tel_carrier_accounts').where({ token_hash: hash }), accountWith(secrets));

export const byId = (db: Knex, secrets: Secrets, id: string): Promise<CarrierAccount | undefined> =>
  firstOf(db('tel_carrier_accounts').where({ id }), accountWith(secrets));

/** The encrypted column of the newest account. */
export const newestSealed = (db: Knex): Promise<string | undefined> =>
  firstOf(db('tel_carrier_accounts').orderBy('created_at', 'desc').select('sealed'), ({ sealed }: Row) => sealed);

export interface AccountLine extends Pick<CarrierAccount, 'id' | 'carrier' | 'apiUrl'> {
  readonly companyName: string;
  readonly createdAt: Date;
}

/** Without their secrets. */
export async function list(db: Knex): Promise<AccountLine[]> {
  return (await db('tel_carrier_accounts as account')
    .join('tel_companies as company', 'company.id', 'account.company_id')
    .orderBy(['company.name', 'account.id'])
    .select({
      id: 'account.id',
      carrier: 'account.carrier',
      apiUrl: 'account.api_url',
      companyName: 'company.name',
      createdAt: 'account.created_at',
    })) as AccountLine[];
}

/** Returns whether there was one. */
export async function remove(db: Knex, id: string): Promise<boolean> {
  return (await db('tel_carrier_accounts').where({ id }).delete()) > 0;
}
