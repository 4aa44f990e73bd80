/** Rows of chat_muted_users: people of whom somebody wants to read nothing. */
import type { Knex } from 'knex';
import { readOf, runRead, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';
import type { MutedUser } from '../../model/users/muted-users';
import type { User, UserId } from '../../model/users/user';
import { grouped } from '../rows';

const TABLE = 'chat_muted_users';

/** In the order in which they were muted. */
export const ofUserRead = (userId: UserId): Read<MutedUser[]> =>
  readOf(
    'SELECT muted_id AS id, muted_at AS timestamp FROM chat_muted_users WHERE user_id = ? ORDER BY muted_at, muted_id',
    [userId],
    (rows: readonly MutedUser[]) => rows.map(({ id, timestamp }) => ({ id, timestamp })),
  );

export const ofUser = (db: Knex, userId: UserId): Promise<MutedUser[]> => runRead(db, ofUserRead(userId));

export async function insert(db: Knex, { id, realmId }: User, mutedId: UserId, mutedAt: number): Promise<void> {
  await db(TABLE).insert({ user_id: id, muted_id: mutedId, realm_id: realmId, muted_at: mutedAt });
}

/** Returns whether there was anything to remove. */
export const remove = async (db: Knex, userId: UserId, mutedId: UserId): Promise<boolean> =>
  (await db(TABLE).where({ user_id: userId, muted_id: mutedId }).delete()) > 0;

export type Muters = ReadonlyMap<UserId, readonly UserId[]>;

interface Row {
  readonly muted_id: UserId;
  readonly user_id: UserId;
}

/** Who has muted whom in an organisation, by the muted users. */
export async function mutersOf(db: Knex, realmId: RealmId): Promise<Muters> {
  const rows = (await db(TABLE).where({ realm_id: realmId }).select('muted_id', 'user_id')) as Row[];
  return grouped(rows.map((row) => [row.muted_id, row.user_id]));
}

/** Who has muted these users. */
export async function mutersAmong(db: Knex, realmId: RealmId, mutedIds: readonly UserId[]): Promise<Muters> {
  if (mutedIds.length === 0) return new Map();
  const muted = db(TABLE).where({ realm_id: realmId }).whereIn('muted_id', mutedIds);
  const rows = (await muted.select('muted_id', 'user_id')) as Row[];
  return grouped(rows.map((row) => [row.muted_id, row.user_id]));
}
