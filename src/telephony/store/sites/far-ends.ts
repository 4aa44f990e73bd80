/** Reads what companies have connected, with the companies' names. */
import type { Knex } from 'knex';
import type { CompanyId } from '../../model/companies/company';

/** Bounds what one look reads. */
const MAX_LISTED = 10_000;

interface Line {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly companyName: string;
}

function lines(db: Knex, table: string, only: Only): Knex.QueryBuilder {
  const all = db({ line: table })
    .join({ company: 'tel_companies' }, 'company.id', 'line.company_id')
    .orderBy(['company.name', 'line.id'])
    .limit(MAX_LISTED);
  return only.ids ? all.whereIn(only.column, only.ids) : all;
}

interface Only {
  readonly column: string;
  /** Undefined: all. */
  readonly ids: readonly string[] | undefined;
}

const OWNER = { companyId: 'company.id', companyName: 'company.name' };

export interface PbxLine extends Line {
  readonly backend: string;
  readonly address: string;
  readonly location: string;
}

export async function pbxs(db: Knex, ids?: readonly string[]): Promise<PbxLine[]> {
  return (await lines(db, 'tel_instances', { column: 'line.uuid', ids })
    .join({ location: 'tel_locations' }, 'location.id', 'line.location_id')
    .select({
      ...OWNER,
      id: 'line.uuid',
      backend: 'line.backend',
      address: 'line.address',
      location: 'location.name',
    })) as PbxLine[];
}

export interface AccountLine extends Line {
  readonly carrier: string;
  /** One of its numbers; null if it has none. */
  readonly number: string | null;
}

export async function carrierAccounts(db: Knex, ids?: readonly string[]): Promise<AccountLine[]> {
  const number = db('tel_text_numbers').whereRaw('tel_text_numbers.carrier_account_id = line.id').min('e164');
  return (await lines(db, 'tel_carrier_accounts', { column: 'line.id', ids }).select({
    ...OWNER,
    id: 'line.id',
    carrier: 'line.carrier',
    number,
  })) as unknown as AccountLine[];
}

export interface WebhookLine extends Line {
  readonly url: string;
}

export async function webhooks(db: Knex, ids?: readonly string[]): Promise<WebhookLine[]> {
  return (await lines(db, 'tel_webhooks', { column: 'line.id', ids })
    .where('line.is_active', true)
    .select({ ...OWNER, id: 'line.id', url: 'line.url' })) as WebhookLine[];
}
