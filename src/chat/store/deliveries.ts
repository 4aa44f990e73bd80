/** Rows of chat_deliveries. */
import type { Knex } from 'knex';
import type { RealmId } from '../model/realm';
import type { UserId } from '../model/user';

export interface NewDelivery {
  readonly realmId: RealmId;
  readonly botId: UserId;
  readonly integration: string;
  readonly sameness: string;
  readonly stream: string | null;
  readonly topic: string | null;
  readonly payload: string;
  readonly event: string;
}

export interface Delivery extends NewDelivery {
  readonly id: number;
  readonly attempts: number;
}

interface Row {
  id: number;
  realm_id: RealmId;
  bot_id: UserId;
  integration: string;
  sameness: string;
  stream: string | null;
  topic: string | null;
  payload: string;
  event: string;
  attempts: number;
}

const deliveryOf = ({ realm_id: realmId, bot_id: botId, ...row }: Row): Delivery => ({ ...row, realmId, botId });

/** One statement, committed by itself. A repeat changes nothing. */
export async function insert(db: Knex, { realmId, botId, ...delivery }: NewDelivery): Promise<void> {
  await db('chat_deliveries')
    .insert({ realm_id: realmId, bot_id: botId, ...delivery, state: 'pending', created_at: db.raw('NOW(3)') })
    .onConflict()
    .ignore();
}

/** What waits for a bot, oldest first. */
export async function pendingOf(db: Knex, botId: UserId, limit: number): Promise<Delivery[]> {
  const rows = (await db('chat_deliveries')
    .where({ bot_id: botId, state: 'pending' })
    .orderBy('id')
    .limit(limit)) as Row[];
  return rows.map(deliveryOf);
}

/** How much waits for a bot; counting stops at the limit. */
export async function backlogOf(db: Knex, botId: UserId, limit: number): Promise<number> {
  const waiting = db('chat_deliveries')
    .where({ bot_id: botId, state: 'pending' })
    .limit(limit)
    .select('id')
    .as('waiting');
  const [row] = (await db.from(waiting).count({ count: '*' })) as [{ count: number }];
  return row.count;
}

/** Bots with something that has been waiting for a while. */
export async function waitingBots(db: Knex, olderThanMs: number): Promise<UserId[]> {
  return (await db('chat_deliveries')
    .where({ state: 'pending' })
    .where('created_at', '<', db.raw('NOW(3) - INTERVAL ? MICROSECOND', [olderThanMs * 1000]))
    .distinct('bot_id')
    .limit(1000)
    .pluck('bot_id')) as UserId[];
}

export async function finish(db: Knex, id: number, outcome: { messageId: number } | { error: string }): Promise<void> {
  const result =
    'error' in outcome ? { state: 'failed', error: outcome.error } : { state: 'done', message_id: outcome.messageId };
  await db('chat_deliveries')
    .where({ id })
    .update({ ...result, finished_at: db.raw('NOW(3)') });
}

export async function countAttempt(db: Knex, id: number, error: string): Promise<void> {
  await db('chat_deliveries')
    .where({ id })
    .update({ attempts: db.raw('attempts + 1'), error });
}
