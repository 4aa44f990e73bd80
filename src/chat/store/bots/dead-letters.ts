/** Rows of chat_deliveries that failed permanently, and whether their owners were notified. */
import type { Knex } from 'knex';
import { ago } from '../../../kernel/mysql/sql-parts';
import type { UserId } from '../../model/users/user';

export interface Unnotified {
  readonly id: number;
  readonly notice: string;
  readonly integration: string;
  readonly stream: string | null;
  readonly error: string;
}

const unnotifiedOf = (db: Knex, botId: UserId) =>
  db('chat_deliveries').where({ bot_id: botId, state: 'failed' }).whereNull('notified_at');

/** Assigns one notice to all dead letters without one. */
export async function gather(db: Knex, botId: UserId, notice: string): Promise<void> {
  await unnotifiedOf(db, botId).whereNull('notice').update({ notice });
}

const MAX_AT_ONCE = 5000;

export async function unnotified(db: Knex, botId: UserId): Promise<Unnotified[]> {
  return (await unnotifiedOf(db, botId)
    .whereNotNull('notice')
    .orderBy('id')
    .limit(MAX_AT_ONCE)
    .select('id', 'notice', 'integration', 'stream', 'error')) as Unnotified[];
}

export async function markNotified(db: Knex, ids: readonly number[]): Promise<void> {
  await db('chat_deliveries')
    .whereIn('id', ids)
    .update({ notified_at: db.raw('NOW(3)') });
}

/** Whether the bot's owner was recently notified of a dead letter. */
export async function isNotifiedSince(db: Knex, botId: UserId, milliseconds: number): Promise<boolean> {
  const failed = db('chat_deliveries').where({ bot_id: botId, state: 'failed' });
  return (await failed.where('notified_at', '>', ago(db, milliseconds)).first('id')) !== undefined;
}

const MAX_BOTS = 1000;

/** Finds bots whose owners have not been notified of all dead letters. */
export const findUnnotified = (db: Knex): Knex.QueryBuilder =>
  db('chat_deliveries')
    .where({ state: 'failed' })
    .whereNull('notified_at')
    .groupBy('bot_id')
    .limit(MAX_BOTS)
    .select({ address: 'bot_id', tenant: db.raw('NULL') });
