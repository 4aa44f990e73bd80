/** Rows of chat_outgoing_calls for those who look after them: found by bot, id or reason, and set right. */
import type { Knex } from 'knex';
import type { CallCause } from '../model/outgoing-webhook';
import type { RealmId } from '../model/realm';
import type { UserId } from '../model/user';

export type CallState = 'pending' | 'done' | 'failed' | 'dropped';

export interface FoundCall {
  readonly id: number;
  readonly realmId: RealmId;
  readonly botId: UserId;
  readonly bot: string;
  readonly cause: CallCause;
  readonly messageId: number;
  readonly answerId: number | null;
  readonly state: CallState;
  readonly error: string | null;
  readonly attempts: number;
  readonly dueAt: Date;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

export interface Wanted {
  readonly state: CallState | undefined;
  readonly bots: readonly UserId[] | undefined;
  readonly cause: string | undefined;
  readonly ids: readonly number[] | undefined;
  readonly error: string | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

const COLUMNS = {
  id: 'c.id',
  realmId: 'c.realm_id',
  botId: 'c.bot_id',
  bot: 'chat_users.email',
  cause: 'c.cause',
  messageId: 'c.message_id',
  answerId: 'c.answer_id',
  state: 'c.state',
  error: 'c.error',
  attempts: 'c.attempts',
  dueAt: 'c.due_at',
  createdAt: 'c.created_at',
  finishedAt: 'c.finished_at',
};

/** No index finds a part of a reason: so many of the newest are looked through. */
const MOST_LOOKED_THROUGH = 50_000;
const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

export async function search(db: Knex, wanted: Wanted): Promise<FoundCall[]> {
  const { state, bots, cause, ids, error, before } = wanted;
  const rows = db('chat_outgoing_calls').orderBy('id', 'desc').select('*');
  if (state !== undefined) rows.where({ state });
  if (bots !== undefined) rows.whereIn('bot_id', bots);
  if (cause !== undefined) rows.where({ cause });
  if (ids !== undefined) rows.whereIn('id', ids);
  if (before !== undefined) rows.where('id', '<', before);
  rows.limit(error === undefined ? wanted.limit : MOST_LOOKED_THROUGH);
  const found = db.from(rows.as('c')).join('chat_users', 'chat_users.id', 'c.bot_id');
  if (error !== undefined) found.where('c.error', 'like', `%${escapeLike(error)}%`);
  return (await found.orderBy('c.id', 'desc').limit(wanted.limit).select(COLUMNS)) as FoundCall[];
}

export async function byId(db: Knex, id: number): Promise<FoundCall | undefined> {
  return (await db('chat_outgoing_calls as c')
    .join('chat_users', 'chat_users.id', 'c.bot_id')
    .where('c.id', id)
    .first(COLUMNS)) as FoundCall | undefined;
}

export async function count(db: Knex): Promise<{ waiting: number; oldestMs: number | null; dead: number }> {
  const [[pending], [failed]] = (await Promise.all([
    db('chat_outgoing_calls')
      .where({ state: 'pending' })
      .select(db.raw('COUNT(*) AS rows_waiting, TIMESTAMPDIFF(MICROSECOND, MIN(created_at), NOW(3)) AS age')),
    db('chat_outgoing_calls').where({ state: 'failed' }).count({ dead: '*' }),
  ])) as unknown as [[{ rows_waiting: number; age: number | null }], [{ dead: number }]];
  const oldestMs = pending.age === null ? null : Math.round(pending.age / 1000);
  return { waiting: pending.rows_waiting, oldestMs, dead: failed.dead };
}

export interface Mended {
  readonly id: number;
  readonly realmId: RealmId;
  readonly botId: UserId;
}

const lockAmong = async (db: Knex, ids: readonly number[], states: readonly CallState[]): Promise<Mended[]> =>
  (await db('chat_outgoing_calls')
    .whereIn('id', ids)
    .whereIn('state', states)
    .orderBy('id')
    .forUpdate()
    .select('id', { realmId: 'realm_id', botId: 'bot_id' })) as Mended[];

/** It waits again, as if its message had just been sent. */
export async function retry(db: Knex, ids: readonly number[]): Promise<Mended[]> {
  const rows = await lockAmong(db, ids, ['failed', 'dropped']);
  await db('chat_outgoing_calls')
    .whereIn(
      'id',
      rows.map(({ id }) => id),
    )
    .update({ state: 'pending', attempts: 0, error: null, finished_at: null, due_at: db.raw('NOW(3)') });
  return rows;
}

export async function discard(db: Knex, ids: readonly number[]): Promise<Mended[]> {
  const rows = await lockAmong(db, ids, ['failed', 'pending']);
  await db('chat_outgoing_calls')
    .whereIn(
      'id',
      rows.map(({ id }) => id),
    )
    .update({ state: 'dropped', finished_at: db.raw('NOW(3)') });
  return rows;
}
