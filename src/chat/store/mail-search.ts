/** Rows of chat_mails for those who look after them: found by recipient, kind, id or reason, and set right. */
import type { Knex } from 'knex';
import { askedId } from '../../kernel/id';
import type { MailId } from '../model/mail';
import type { RealmId } from '../model/realm';

export interface FoundMail {
  readonly id: MailId;
  readonly realmId: RealmId;
  readonly kind: string;
  readonly recipient: string;
  readonly state: 'pending' | 'done' | 'failed' | 'dropped';
  readonly error: string | null;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

export interface WholeMail extends FoundMail {
  readonly about: string;
  readonly dueAt: Date;
}

export interface Wanted {
  readonly state: FoundMail['state'] | undefined;
  readonly recipient: string | undefined;
  readonly kind: string | undefined;
  readonly id: number | undefined;
  readonly error: string | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

const COLUMNS = {
  id: 'id',
  realmId: 'realm_id',
  kind: 'kind',
  recipient: 'recipient',
  state: 'state',
  error: 'error',
  attempts: 'attempts',
  createdAt: 'created_at',
  finishedAt: 'finished_at',
};

/** No index finds a recipient, or a part of a reason: so many of the newest are looked through. */
const MOST_LOOKED_THROUGH = 50_000;
const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

export async function search(db: Knex, wanted: Wanted): Promise<FoundMail[]> {
  const { state, recipient, kind, id, error, before, limit } = wanted;
  const rows = db('chat_mails').orderBy('id', 'desc').select('*');
  if (state !== undefined) rows.where({ state });
  if (kind !== undefined) rows.where({ kind: askedId(kind) });
  if (id !== undefined) rows.where({ id });
  if (before !== undefined) rows.where('id', '<', before);
  rows.limit(error === undefined && recipient === undefined ? limit : MOST_LOOKED_THROUGH);
  const found = db.from(rows.as('found'));
  if (recipient !== undefined) found.where({ recipient });
  if (error !== undefined) found.where('error', 'like', `%${escapeLike(error)}%`);
  return (await found.orderBy('id', 'desc').limit(limit).select(COLUMNS)) as FoundMail[];
}

export async function whole(db: Knex, id: number): Promise<WholeMail | undefined> {
  return (await db('chat_mails')
    .where({ id })
    .first({ ...COLUMNS, about: 'about', dueAt: 'due_at' })) as WholeMail | undefined;
}

export async function count(db: Knex): Promise<{ waiting: number; oldestMs: number | null; dead: number }> {
  const [[pending], [failed]] = (await Promise.all([
    db('chat_mails')
      .where({ state: 'pending' })
      .select(db.raw('COUNT(*) AS rows_waiting, TIMESTAMPDIFF(MICROSECOND, MIN(created_at), NOW(3)) AS age')),
    db('chat_mails').where({ state: 'failed' }).count({ dead: '*' }),
  ])) as unknown as [[{ rows_waiting: number; age: number | null }], [{ dead: number }]];
  const oldestMs = pending.age === null ? null : Math.round(pending.age / 1000);
  return { waiting: pending.rows_waiting, oldestMs, dead: failed.dead };
}

export interface Mended {
  readonly id: MailId;
  readonly realmId: RealmId;
}

const lockAmong = async (db: Knex, ids: readonly number[], states: readonly string[]): Promise<Mended[]> =>
  (await db('chat_mails')
    .whereIn('id', ids)
    .whereIn('state', states)
    .orderBy('id')
    .forUpdate()
    .select('id', { realmId: 'realm_id' })) as Mended[];

const idsOf = (rows: readonly Mended[]) => rows.map(({ id }) => id);

/** The mail waits again, as if it had just been asked for. */
export async function retry(db: Knex, ids: readonly number[]): Promise<Mended[]> {
  const rows = await lockAmong(db, ids, ['failed', 'dropped']);
  const now = db.raw('NOW(3)');
  await db('chat_mails')
    .whereIn('id', idsOf(rows))
    .update({ state: 'pending', attempts: 0, error: null, created_at: now, due_at: now, finished_at: null });
  return rows;
}

export async function discard(db: Knex, ids: readonly number[]): Promise<Mended[]> {
  const rows = await lockAmong(db, ids, ['failed', 'pending']);
  await db('chat_mails')
    .whereIn('id', idsOf(rows))
    .update({ state: 'dropped', finished_at: db.raw('NOW(3)') });
  return rows;
}
