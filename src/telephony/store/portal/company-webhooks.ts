/** Rows of tel_webhooks. The secret goes in and out encrypted. */
import type { Knex } from 'knex';
import type { CompanyId } from '../../model/companies/company';
import type { CompanyWebhook } from '../../model/portal/company-webhook';
import { firstOf } from '../reads';

interface Row {
  id: string;
  company_id: CompanyId;
  url: string;
  secret: string;
  previous_secret: string | null;
  previous_ends_at: Date | null;
  events: string;
  is_active: number;
  position: number;
  created_at: Date;
}

export type SealedWebhook = CompanyWebhook & { readonly secret: string; readonly previousSecret: string | null };

const webhookOf = (row: Row): SealedWebhook => ({
  id: row.id,
  companyId: row.company_id,
  url: row.url,
  secret: row.secret,
  previousSecret: row.previous_secret,
  previousEndsAt: row.previous_ends_at,
  events: row.events === '' ? [] : row.events.split(','),
  isActive: row.is_active === 1,
  position: Number(row.position),
  createdAt: row.created_at,
});

type NewWebhook = Omit<SealedWebhook, 'createdAt' | 'previousSecret' | 'previousEndsAt'>;

export async function insert(db: Knex, webhook: NewWebhook): Promise<void> {
  await db('tel_webhooks').insert({
    id: webhook.id,
    company_id: webhook.companyId,
    url: webhook.url,
    secret: webhook.secret,
    events: webhook.events.join(','),
    is_active: webhook.isActive,
    position: webhook.position,
    created_at: db.raw('NOW(3)'),
  });
}

export async function list(db: Knex, companyId: CompanyId): Promise<SealedWebhook[]> {
  const rows = (await db('tel_webhooks').where({ company_id: companyId }).orderBy('created_at')) as Row[];
  return rows.map(webhookOf);
}

export const byId = (db: Knex, id: string): Promise<SealedWebhook | undefined> =>
  firstOf(db('tel_webhooks').where({ id }), webhookOf);

/** Locks this webhook's row. */
export const lock = (db: Knex, id: string): Promise<SealedWebhook | undefined> =>
  firstOf(db('tel_webhooks').where({ id }).forUpdate(), webhookOf);

export async function move(db: Knex, id: string, position: number): Promise<void> {
  await db('tel_webhooks').where({ id }).update({ position });
}

type Change = Pick<CompanyWebhook, 'url' | 'events' | 'isActive' | 'position'>;

export async function update(db: Knex, id: string, { url, events, isActive, position }: Change): Promise<void> {
  await db('tel_webhooks')
    .where({ id })
    .update({ url, events: events.join(','), is_active: isActive, position });
}

/** The secret so far, if it is to be kept for a while, becomes the previous one. */
export async function replaceSecret(
  db: Knex,
  id: string,
  { secret, previous }: { readonly secret: string; readonly previous: { secret: string; endsAt: Date } | undefined },
): Promise<void> {
  await db('tel_webhooks')
    .where({ id })
    .update({ secret, previous_secret: previous?.secret ?? null, previous_ends_at: previous?.endsAt ?? null });
}

export async function remove(db: Knex, id: string): Promise<void> {
  await db('tel_webhooks').where({ id }).delete();
}

const MAX_SWEPT = 10_000;

/** Finds webhooks whose company has events beyond their position. */
export const findBehind = (db: Knex): Knex.QueryBuilder =>
  db('tel_webhooks')
    .join(
      { counter: 'kernel_counters' },
      'counter.tenant',
      // Converted to the key's character set; otherwise MySQL would not use the index.
      db.raw("CONVERT(CONCAT('tel:', tel_webhooks.company_id) USING ascii)"),
    )
    .where('is_active', true)
    .whereRaw('counter.event_number > tel_webhooks.position')
    .limit(MAX_SWEPT)
    .select({ address: 'id', tenant: 'counter.tenant' });
