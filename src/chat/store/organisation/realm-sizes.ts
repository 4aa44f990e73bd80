/** The size and activity of organisations, for operators. */
import type { Knex } from 'knex';
import { countRows } from '../../../kernel/mysql/sql-parts';
import type { RealmId } from '../../model/organisation/realm';

export interface RealmSize {
  readonly id: RealmId;
  readonly subdomain: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly lastSentAt: Date | null;
  readonly people: number;
  readonly bots: number;
  readonly messages: number;
  readonly uploadedBytes: number;
}

export interface WantedRealms {
  readonly ids?: readonly number[] | undefined;
  readonly search?: string | undefined;
  readonly after?: number | undefined;
  readonly limit: number;
}

export async function named(db: Knex, ids: readonly RealmId[]): Promise<Pick<RealmSize, 'id' | 'name'>[]> {
  return (await db('chat_realms').whereIn('id', ids).select('id', 'name')) as Pick<RealmSize, 'id' | 'name'>[];
}

type Counted = { realm_id: number; people: string; bots: string };
type Sent = { realm_id: number; messages: number; sent_at: number };

export async function list(db: Knex, { ids, search, after, limit }: WantedRealms): Promise<RealmSize[]> {
  type Row = { id: RealmId; subdomain: string; name: string; is_active: number; created_at: Date };
  const wanted = db('chat_realms').orderBy('id').limit(limit);
  if (ids) wanted.whereIn('id', ids);
  if (after !== undefined) wanted.where('id', '>', after);
  if (search !== undefined) {
    const part = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    wanted.where((either) => void either.where('name', 'like', part).orWhere('subdomain', 'like', part));
  }
  const rows = (await wanted.select('id', 'subdomain', 'name', 'is_active', 'created_at')) as Row[];
  const found = rows.map(({ id }) => id);
  const [accounts, sent, uploads] = await Promise.all([
    accountsOf(db, found),
    sentOf(db, found),
    db('chat_uploads').whereIn('realm_id', found).groupBy('realm_id').select('realm_id').sum({ bytes: 'size' }),
  ]);
  return rows.map(({ id, subdomain, name, is_active, created_at }) => {
    const of = <T extends { realm_id: number }>(all: readonly T[]): T | undefined =>
      all.find(({ realm_id }) => realm_id === id);
    const last = of(sent);
    return {
      id,
      subdomain,
      name,
      isActive: is_active === 1,
      createdAt: created_at,
      lastSentAt: last ? new Date(last.sent_at * 1000) : null,
      people: Number(of(accounts)?.people ?? 0),
      bots: Number(of(accounts)?.bots ?? 0),
      messages: last?.messages ?? 0,
      uploadedBytes: Number(of(uploads as { realm_id: number; bytes: string }[])?.bytes ?? 0),
    };
  });
}

/** Counts active accounts. */
const accountsOf = async (db: Knex, ids: readonly RealmId[]): Promise<Counted[]> =>
  (await db('chat_users')
    .whereIn('realm_id', ids)
    .where({ is_active: true })
    .groupBy('realm_id')
    .select('realm_id', db.raw('SUM(bot_type IS NULL) AS people, SUM(bot_type IS NOT NULL) AS bots'))) as Counted[];

/** Message ids are consecutive, so the newest id approximates their number. */
async function sentOf(db: Knex, ids: readonly RealmId[]): Promise<Sent[]> {
  const newest = db('chat_messages').whereIn('realm_id', ids).groupBy('realm_id').select('realm_id').max({ id: 'id' });
  return (await db('chat_messages AS m')
    .join(newest.as('n'), (on) => on.on('n.realm_id', 'm.realm_id').andOn('n.id', 'm.id'))
    .select('m.realm_id', { messages: 'm.id' }, 'm.sent_at')) as Sent[];
}

export const countPeople = (db: Knex, realmId: RealmId): Promise<number> =>
  countRows(db('chat_users').where({ realm_id: realmId, is_active: true }).whereNull('bot_type'));
