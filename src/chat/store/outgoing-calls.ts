/** Rows of chat_outgoing_calls, written with their message. `failed` rows are dead letters, `dropped` ones discarded. */
import type { Knex } from 'knex';
import { ago } from '../../kernel/mysql/ago';
import type { CallCause } from '../model/outgoing-webhook';
import type { RealmId } from '../model/realm';
import type { UserId } from '../model/user';
import { forgetRows } from './forget-rows';

export interface Call {
  readonly id: number;
  readonly realmId: RealmId;
  readonly botId: UserId;
  readonly messageId: number;
  readonly cause: CallCause;
  readonly attempts: number;
}

const COLUMNS = {
  id: 'id',
  realmId: 'realm_id',
  botId: 'bot_id',
  messageId: 'message_id',
  cause: 'cause',
  attempts: 'attempts',
};

/** What a bot is to be told now, in the order of the messages. */
export async function due(db: Knex, botId: UserId, limit: number): Promise<Call[]> {
  return (await db('chat_outgoing_calls')
    .where({ bot_id: botId, state: 'pending' })
    .where('due_at', '<=', db.raw('NOW(3)'))
    .orderBy('id')
    .limit(limit)
    .select(COLUMNS)) as Call[];
}

/** In how many milliseconds the next call of a bot is due; undefined where none waits. */
export async function nextDueMs(db: Knex, botId: UserId): Promise<number | undefined> {
  const [row] = (await db('chat_outgoing_calls')
    .where({ bot_id: botId, state: 'pending' })
    .select(db.raw('TIMESTAMPDIFF(MICROSECOND, NOW(3), MIN(due_at)) AS wait'))) as unknown as [{ wait: number | null }];
  return row.wait === null ? undefined : Math.max(0, row.wait / 1000);
}

const MOST_BOTS = 1000;

/** Bots with a call that has been due for a while. */
export async function waitingBots(db: Knex, olderThanMs: number): Promise<UserId[]> {
  return (await db('chat_outgoing_calls')
    .where({ state: 'pending' })
    .where('due_at', '<', ago(db, olderThanMs))
    .distinct('bot_id')
    .limit(MOST_BOTS)
    .pluck('bot_id')) as UserId[];
}

const finished = (db: Knex) => ({ attempts: db.raw('attempts + 1'), finished_at: db.raw('NOW(3)') });

export async function finish(db: Knex, id: number, answerId: number | null): Promise<void> {
  await db('chat_outgoing_calls')
    .where({ id, state: 'pending' })
    .update({ state: 'done', error: null, answer_id: answerId, ...finished(db) });
}

/** It has failed for good. */
export async function bury(db: Knex, id: number, error: string): Promise<void> {
  await db('chat_outgoing_calls')
    .where({ id, state: 'pending' })
    .update({ state: 'failed', error, ...finished(db) });
}

/** There is nothing left to tell, or nobody. */
export async function drop(db: Knex, id: number, error: string): Promise<void> {
  await db('chat_outgoing_calls')
    .where({ id, state: 'pending' })
    .update({ state: 'dropped', error, ...finished(db) });
}

/** It is tried again later. */
export async function delay(db: Knex, id: number, error: string, waitMs: number): Promise<void> {
  const dueAt = db.raw('NOW(3) + INTERVAL ? MICROSECOND', [Math.round(waitMs * 1000)]);
  await db('chat_outgoing_calls')
    .where({ id, state: 'pending' })
    .update({ error, due_at: dueAt, attempts: db.raw('attempts + 1') });
}

/** What is over is kept for a while, to be looked at. */
export const forgetOld = (db: Knex, state: 'done' | 'failed' | 'dropped', keepMs: number): Promise<void> =>
  forgetRows(db('chat_outgoing_calls').where({ state }).where('finished_at', '<', ago(db, keepMs)), 'id');
