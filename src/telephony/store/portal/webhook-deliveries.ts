/** Rows of tel_webhook_deliveries: events to be posted to a company's webhook. */
import type { Knex } from 'knex';
import { countRows } from '../../../kernel/mysql/sql-parts';
import type { MailboxAdminOptions } from '../../../kernel/mailbox/mailbox-admin';
import type { MailTable, Row } from '../../../kernel/mailbox/mailbox';
import { companyTenant, type CompanyId } from '../../model/companies/company';
import { KEPT_DELIVERIES, type DeliveryState, type WebhookDelivery } from '../../model/portal/company-webhook';
import { containing } from '../reads';

const COLUMNS = {
  id: 'id',
  event: 'event',
  body: 'body',
  state: 'state',
  attempts: 'attempts',
  answer: 'answer',
  createdAt: 'created_at',
  finishedAt: 'finished_at',
} as const;

const deliveryOf = (row: Row): WebhookDelivery =>
  Object.fromEntries(
    Object.entries(COLUMNS).map(([name, column]) => [name, row[column]]),
  ) as unknown as WebhookDelivery;

export const deliveryTable: MailTable<WebhookDelivery, never> = {
  name: 'tel_webhook_deliveries',
  address: 'webhook_id',
  reason: 'answer',
  maxReasonLength: 300,
  dueAt: 'due_at',
  read: deliveryOf,
  among: (db) => db('tel_webhooks').where({ is_active: true }).select('id'),
};

interface Owner {
  readonly id: string;
  readonly url: string;
  readonly company_id: CompanyId;
}

/** The work-queue admin view for operators. */
export const deliveryAdmin: MailboxAdminOptions = {
  name: 'company-webhooks',
  about: 'events that companies have posted to their own addresses; subject is the host, kind the event',
  kind: 'event',
  async show(db, rows) {
    const ids = [...new Set(rows.map((row) => row['webhook_id'] as string))];
    const owners = (await db('tel_webhooks').whereIn('id', ids).select('id', 'url', 'company_id')) as Owner[];
    const known = new Map(owners.map((owner) => [owner.id, owner]));
    return rows.map((row) => {
      const owner = known.get(row['webhook_id'] as string);
      return owner && shownOf(row, owner);
    });
  },
  bySubject: (rows, url) =>
    rows.whereIn(
      'webhook_id',
      (found) => void found.from('tel_webhooks').where('url', 'like', containing(url)).select('id'),
    ),
  onDiscard: (db, rows) =>
    Promise.all([...new Set(rows.map((row) => row['webhook_id'] as string))].map((id) => trim(db, id, 'dropped'))),
};

const shownOf = (row: Row, { id, url, company_id: companyId }: Owner) => ({
  tenant: companyTenant(companyId),
  // Shows only the host, because the rest of the URL may contain a secret.
  subject: new URL(url).host,
  kind: row['event'] as string,
  reference: null,
  payload: JSON.parse(row['body'] as string) as unknown,
  more: { webhook_id: id },
});

export async function insert(
  db: Knex,
  webhookId: string,
  deliveries: readonly Pick<WebhookDelivery, 'event' | 'body'>[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const now = db.raw('NOW(3)');
  await db('tel_webhook_deliveries').insert(
    deliveries.map(({ event, body }) => ({
      webhook_id: webhookId,
      event,
      body,
      state: 'pending',
      due_at: now,
      created_at: now,
    })),
  );
}

export const countPending = (db: Knex, webhookId: string): Promise<number> =>
  countRows(db('tel_webhook_deliveries').where({ webhook_id: webhookId, state: 'pending' }));

export async function list(db: Knex, webhookId: string, state: DeliveryState | undefined): Promise<WebhookDelivery[]> {
  return (await db('tel_webhook_deliveries')
    .where({ webhook_id: webhookId, ...(state && { state }) })
    .orderBy('id', 'desc')
    .limit(KEPT_DELIVERIES)
    .select(COLUMNS)) as WebhookDelivery[];
}

/** Restarts finished deliveries. Returns how many there were. */
export const replay = (db: Knex, webhookId: string, ids: readonly number[]): Promise<number> =>
  db('tel_webhook_deliveries')
    .where({ webhook_id: webhookId })
    .whereIn('id', ids)
    .whereNot({ state: 'pending' })
    .update({ state: 'pending', attempts: 0, answer: null, due_at: db.raw('NOW(3)'), finished_at: null });

/** Deletes deliveries in this state except the newest. */
export async function trim(db: Knex, webhookId: string, state: DeliveryState): Promise<void> {
  const which = { webhook_id: webhookId, state };
  const [last] = (await db('tel_webhook_deliveries')
    .where(which)
    .orderBy('id', 'desc')
    .offset(KEPT_DELIVERIES)
    .limit(1)
    .pluck('id')) as number[];
  if (last !== undefined) await db('tel_webhook_deliveries').where(which).where('id', '<=', last).delete();
}
