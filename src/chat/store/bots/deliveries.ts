/** Rows of chat_deliveries, from the door to the message. `failed` rows are dead letters, `dropped` ones discarded. */
import type { Knex } from 'knex';
import { send } from '../../../kernel/mysql/direct';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';

export interface NewDelivery {
  readonly realmId: RealmId;
  readonly botId: UserId;
  readonly integration: string;
  readonly sameness: string;
  readonly stream: string | null;
  readonly topic: string | null;
  readonly payload: string;
  readonly event: string;
  /** As the address lists them; null where it wants all. */
  readonly branches: string | null;
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
  branches: string | null;
  attempts: number;
}

const deliveryOf = (row: Row): Delivery => ({
  id: row.id,
  realmId: row.realm_id,
  botId: row.bot_id,
  integration: row.integration,
  sameness: row.sameness,
  stream: row.stream,
  topic: row.topic,
  payload: row.payload,
  event: row.event,
  branches: row.branches,
  attempts: row.attempts,
});

const TAKEN = 'realm_id, bot_id, integration, sameness, stream, topic, payload, event, branches, state, created_at';

/**
 * Whoever sends a dead letter again wants it sent: it waits once more. The state comes last, as the others ask for it.
 */
const REVIVED = [
  ...['attempts', 'error', 'notice', 'told_at', 'finished_at'].map(
    (column) => `${column} = IF(state = 'failed', ${column === 'attempts' ? '0' : 'NULL'}, ${column})`,
  ),
  "state = IF(state = 'failed', 'pending', state)",
].join(', ');

/** One statement, committed by itself; written out, for bursts are what it is for. Any other repeat changes nothing. */
export async function insert(db: Knex, delivered: readonly NewDelivery[]): Promise<void> {
  const places = delivered.map(() => "(?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', NOW(3))").join(', ');
  const values = delivered.flatMap((each) => [
    each.realmId,
    each.botId,
    each.integration,
    each.sameness,
    each.stream,
    each.topic,
    each.payload,
    each.event,
    each.branches,
  ]);
  await send(db, `INSERT INTO chat_deliveries (${TAKEN}) VALUES ${places} ON DUPLICATE KEY UPDATE ${REVIVED}`, values);
}

export async function isTaken(db: Knex, botId: UserId, sameness: string): Promise<boolean> {
  const sql = 'SELECT id FROM chat_deliveries WHERE bot_id = ? AND sameness = ? LIMIT 1';
  return ((await send(db, sql, [botId, sameness])) as unknown[]).length > 0;
}

const PENDING =
  'SELECT id, realm_id, bot_id, integration, sameness, stream, topic, payload, event, branches, attempts FROM chat_deliveries ' +
  "WHERE bot_id = ? AND state = 'pending' ORDER BY id LIMIT ?";

/** What waits for a bot, oldest first. */
export async function pendingOf(db: Knex, botId: UserId, limit: number): Promise<Delivery[]> {
  return ((await send(db, PENDING, [botId, limit])) as Row[]).map(deliveryOf);
}

/** Whether anything waits for a bot. */
export async function isAnyPending(db: Knex, botId: UserId): Promise<boolean> {
  const sql = "SELECT id FROM chat_deliveries WHERE bot_id = ? AND state = 'pending' LIMIT 1";
  return ((await send(db, sql, [botId])) as unknown[]).length > 0;
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

const MOST_BOTS = 1000;
const olderThan = (db: Knex, milliseconds: number) =>
  db.raw('NOW(3) - INTERVAL ? MICROSECOND', [Math.round(milliseconds * 1000)]);

/** Bots with something that has been waiting for a while. */
export async function waitingBots(db: Knex, olderThanMs: number): Promise<UserId[]> {
  return (await db('chat_deliveries')
    .where({ state: 'pending' })
    .where('created_at', '<', olderThan(db, olderThanMs))
    .distinct('bot_id')
    .limit(MOST_BOTS)
    .pluck('bot_id')) as UserId[];
}

/** They have become these messages. */
export async function finish(db: Knex, done: readonly { id: number; messageId: number }[]): Promise<void> {
  if (done.length === 0) return;
  const cases = done.map(() => 'WHEN ? THEN ?').join(' ');
  const ids = done.map(({ id }) => id);
  await send(
    db,
    "UPDATE chat_deliveries SET state = 'done', error = NULL, attempts = attempts + 1, finished_at = NOW(3), " +
      `message_id = CASE id ${cases} END WHERE id IN (${ids.map(() => '?').join(', ')}) AND state = 'pending'`,
    [...done.flatMap(({ id, messageId }) => [id, messageId]), ...ids],
  );
}

/** It has failed for good. */
export async function bury(db: Knex, id: number, reason: string): Promise<void> {
  await db('chat_deliveries')
    .where({ id, state: 'pending' })
    .update({ state: 'failed', error: reason, attempts: db.raw('attempts + 1'), finished_at: db.raw('NOW(3)') });
}

export async function countAttempt(db: Knex, id: number, error: string): Promise<void> {
  await db('chat_deliveries')
    .where({ id, state: 'pending' })
    .update({ attempts: db.raw('attempts + 1'), error });
}

/** What is over is kept for a while, to be looked at and replayed. */
export async function forgetOld(db: Knex, state: 'done' | 'failed' | 'dropped', keepMs: number): Promise<number> {
  return db('chat_deliveries').where({ state }).where('finished_at', '<', olderThan(db, keepMs)).limit(500).delete();
}
