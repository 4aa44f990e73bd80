/** Rows of tel_webhook_deliveries: events on their way to an address of a company. */
import type { Knex } from 'knex';
import { ago } from '../../kernel/mysql/ago';
import { KEPT_DELIVERIES, type DeliveryState, type WebhookDelivery } from '../model/company-webhook';

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

export interface NewDelivery {
  readonly event: string;
  readonly body: string;
}

export async function insert(db: Knex, webhookId: string, deliveries: readonly NewDelivery[]): Promise<void> {
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

export async function countPending(db: Knex, webhookId: string): Promise<number> {
  const [row] = (await db('tel_webhook_deliveries')
    .where({ webhook_id: webhookId, state: 'pending' })
    .count({ deliveries: '*' })) as [{ deliveries: number }];
  return row.deliveries;
}

/** The oldest that waits, if its time has come: none overtakes another. */
export async function next(db: Knex, webhookId: string): Promise<WebhookDelivery | undefined> {
  const row = (await db('tel_webhook_deliveries')
    .where({ webhook_id: webhookId, state: 'pending' })
    .orderBy('id')
    .first({ ...COLUMNS, isDue: db.raw('due_at <= NOW(3)') })) as (WebhookDelivery & { isDue: number }) | undefined;
  return row?.isDue === 1 ? row : undefined;
}

export async function finish(
  db: Knex,
  id: number,
  { state, answer }: { readonly state: DeliveryState; readonly answer: string },
): Promise<void> {
  await db('tel_webhook_deliveries')
    .where({ id, state: 'pending' })
    .update({ state, answer, attempts: db.raw('attempts + 1'), finished_at: db.raw('NOW(3)') });
}

export async function postpone(db: Knex, id: number, answer: string, pauseMs: number): Promise<void> {
  await db('tel_webhook_deliveries')
    .where({ id, state: 'pending' })
    .update({ answer, attempts: db.raw('attempts + 1'), due_at: ago(db, -pauseMs) });
}

/** Webhooks that are switched on and have something to post whose time has come. */
export async function dueWebhooks(db: Knex, most: number): Promise<string[]> {
  return (await db('tel_webhook_deliveries AS d')
    .join('tel_webhooks AS w', 'w.id', 'd.webhook_id')
    .where({ 'd.state': 'pending', 'w.is_active': true })
    .where('d.due_at', '<=', db.raw('NOW(3)'))
    .distinct('d.webhook_id')
    .limit(most)
    .pluck('d.webhook_id')) as string[];
}

export async function list(db: Knex, webhookId: string): Promise<WebhookDelivery[]> {
  return (await db('tel_webhook_deliveries')
    .where({ webhook_id: webhookId })
    .orderBy('id', 'desc')
    .limit(KEPT_DELIVERIES)
    .select(COLUMNS)) as WebhookDelivery[];
}

/** Once more from the start; says whether there was one that has ended. */
export async function replay(db: Knex, webhookId: string, id: number): Promise<boolean> {
  const changed = await db('tel_webhook_deliveries')
    .where({ webhook_id: webhookId, id })
    .whereNot({ state: 'pending' })
    .update({ state: 'pending', attempts: 0, answer: null, due_at: db.raw('NOW(3)'), finished_at: null });
  return changed === 1;
}

/** The newest of a state are kept. */
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
