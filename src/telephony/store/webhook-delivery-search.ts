/** Rows of tel_webhook_deliveries for operators: found by webhook, event, id or answer, and set right. */
import type { Knex } from 'knex';
import type { CompanyId } from '../model/company';
import type { DeliveryState, WebhookDelivery } from '../model/company-webhook';

export interface FoundDelivery extends Omit<WebhookDelivery, 'body'> {
  readonly webhookId: string;
  readonly companyId: CompanyId;
  readonly url: string;
}

export interface WholeDelivery extends FoundDelivery {
  readonly body: string;
  readonly dueAt: Date;
}

export interface Wanted {
  readonly state: DeliveryState | undefined;
  /** A part of its address. */
  readonly webhook: string | undefined;
  readonly event: string | undefined;
  readonly id: number | undefined;
  readonly answer: string | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

const TABLE = 'tel_webhook_deliveries';
const COLUMNS = {
  id: 'd.id',
  event: 'd.event',
  state: 'd.state',
  attempts: 'd.attempts',
  answer: 'd.answer',
  createdAt: 'd.created_at',
  finishedAt: 'd.finished_at',
  webhookId: 'w.id',
  companyId: 'w.company_id',
  url: 'w.url',
} as const;

/** No index finds a part of an answer or of an address: so many of the newest are looked through. */
const MOST_LOOKED_THROUGH = 50_000;
const part = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** The newest first. */
export async function search(db: Knex, wanted: Wanted): Promise<FoundDelivery[]> {
  const { state, webhook, event, id, answer, before, limit } = wanted;
  const rows = db(TABLE)
    .orderBy('id', 'desc')
    .select('id', 'webhook_id', 'event', 'state', 'attempts', 'answer', 'created_at', 'finished_at');
  if (state !== undefined) rows.where({ state });
  if (event !== undefined) rows.where({ event });
  if (id !== undefined) rows.where({ id });
  if (before !== undefined) rows.where('id', '<', before);
  rows.limit(answer === undefined && webhook === undefined ? limit : MOST_LOOKED_THROUGH);
  const found = db.from(rows.as('d')).join('tel_webhooks AS w', 'w.id', 'd.webhook_id');
  if (webhook !== undefined) found.where('w.url', 'like', part(webhook));
  if (answer !== undefined) found.where('d.answer', 'like', part(answer));
  return (await found.orderBy('d.id', 'desc').limit(limit).select(COLUMNS)) as FoundDelivery[];
}

export async function whole(db: Knex, id: number): Promise<WholeDelivery | undefined> {
  return (await db(`${TABLE} AS d`)
    .join('tel_webhooks AS w', 'w.id', 'd.webhook_id')
    .where('d.id', id)
    .first({ ...COLUMNS, body: 'd.body', dueAt: 'd.due_at' })) as WholeDelivery | undefined;
}

export async function count(db: Knex): Promise<{ waiting: number; oldestMs: number | null; dead: number }> {
  const [[pending], [failed]] = (await Promise.all([
    db(TABLE)
      .where({ state: 'pending' })
      .select(db.raw('COUNT(*) AS rows_waiting, TIMESTAMPDIFF(MICROSECOND, MIN(created_at), NOW(3)) AS age')),
    db(TABLE).where({ state: 'failed' }).count({ dead: '*' }),
  ])) as unknown as [[{ rows_waiting: number; age: number | null }], [{ dead: number }]];
  const oldestMs = pending.age === null ? null : Math.round(pending.age / 1000);
  return { waiting: pending.rows_waiting, oldestMs, dead: failed.dead };
}

export interface Mended {
  readonly id: number;
  readonly webhookId: string;
  readonly companyId: CompanyId;
}

const lockAmong = async (db: Knex, ids: readonly number[], states: readonly DeliveryState[]): Promise<Mended[]> =>
  (await db(`${TABLE} AS d`)
    .join('tel_webhooks AS w', 'w.id', 'd.webhook_id')
    .whereIn('d.id', ids)
    .whereIn('d.state', states)
    .orderBy('d.id')
    .forUpdate()
    .select({ id: 'd.id', webhookId: 'w.id', companyId: 'w.company_id' })) as Mended[];

const idsOf = (rows: readonly Mended[]) => rows.map(({ id }) => id);

/** The delivery waits again, with all its attempts. */
export async function retry(db: Knex, ids: readonly number[]): Promise<Mended[]> {
  const rows = await lockAmong(db, ids, ['failed', 'dropped']);
  await db(TABLE)
    .whereIn('id', idsOf(rows))
    .update({ state: 'pending', attempts: 0, answer: null, due_at: db.raw('NOW(3)'), finished_at: null });
  return rows;
}

export async function discard(db: Knex, ids: readonly number[]): Promise<Mended[]> {
  const rows = await lockAmong(db, ids, ['failed', 'pending']);
  await db(TABLE)
    .whereIn('id', idsOf(rows))
    .update({ state: 'dropped', finished_at: db.raw('NOW(3)') });
  return rows;
}
