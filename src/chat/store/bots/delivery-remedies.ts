/** What operators do to rows of chat_deliveries: each says from which states it may come. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';

export interface Mended {
  readonly id: number;
  readonly realmId: RealmId;
  readonly botId: UserId;
}

const lockAmong = async (db: Knex, ids: readonly number[], states: readonly string[]): Promise<Mended[]> =>
  (await db('chat_deliveries')
    .whereIn('id', ids)
    .whereIn('state', states)
    .orderBy('id')
    .forUpdate()
    .select('id', { realmId: 'realm_id', botId: 'bot_id' })) as Mended[];

const idsOf = (rows: readonly Mended[]) => rows.map(({ id }) => id);

/** It waits again, as if it had just come. */
export async function retry(db: Knex, ids: readonly number[]): Promise<Mended[]> {
  const rows = await lockAmong(db, ids, ['failed', 'dropped']);
  const anew = { attempts: 0, error: null, notice: null, told_at: null, finished_at: null };
  await db('chat_deliveries')
    .whereIn('id', idsOf(rows))
    .update({ state: 'pending', ...anew });
  return rows;
}

export async function discard(db: Knex, ids: readonly number[]): Promise<Mended[]> {
  const rows = await lockAmong(db, ids, ['failed', 'pending']);
  await db('chat_deliveries')
    .whereIn('id', idsOf(rows))
    .update({ state: 'dropped', finished_at: db.raw('NOW(3)') });
  return rows;
}

/** What was sent, once more: a copy of it waits, and becomes a message of its own; gives the copies. */
export async function replay(db: Knex, ids: readonly number[], token: string): Promise<Mended[]> {
  const rows = await lockAmong(db, ids, ['done']);
  const copied = ['realm_id', 'bot_id', 'integration', 'stream', 'topic', 'payload', 'event', 'branches'];
  const copies: Mended[] = [];
  for (const row of rows) {
    const [made] = (await db.raw(
      `INSERT INTO chat_deliveries (${copied.join(', ')}, sameness, state, created_at)
       SELECT ${copied.join(', ')}, ?, 'pending', NOW(3) FROM chat_deliveries WHERE id = ?`,
      [`replay:${row.id}:${token}`, row.id],
    )) as [{ insertId: number }];
    copies.push({ ...row, id: made.insertId });
  }
  return copies;
}
