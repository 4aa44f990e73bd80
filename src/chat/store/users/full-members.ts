/** Until when people joined whom clients know as full members: a column of chat_realms; and who joined since. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';

/** Organisations where people wait. Settings that equal the defaults are not stored, so few rows are found. */
export const waitingRealmsAfter = (db: Knex, id: number, most: number): Promise<{ readonly id: RealmId }[]> =>
  db('chat_realms')
    .where({ is_active: true })
    .where('id', '>', id)
    .where('settings', 'like', '%waiting_period_threshold%')
    .orderBy('id')
    .limit(most)
    .select('id');

export async function setUntil(db: Knex, id: RealmId, until: Date | null): Promise<void> {
  await db('chat_realms').where({ id }).update({ full_members_until: until });
}

type Range = readonly [after: Date, until: Date];

/** Active members without a title who joined after the first moment and not after the second. */
const joined = (db: Knex, realmId: RealmId, [after, until]: Range) =>
  db('chat_users')
    .where({ realm_id: realmId, role: 'member', is_active: true })
    .whereNull('title')
    .where('joined_at', '>', after)
    .where('joined_at', '<=', until)
    .orderBy('id');

export const hasJoinedBetween = async (db: Knex, realmId: RealmId, range: Range): Promise<boolean> =>
  (await joined(db, realmId, range).first('id')) !== undefined;

/** Waits for whoever changes their roles. */
export const lockJoinedBetween = (db: Knex, realmId: RealmId, range: Range): Promise<UserId[]> =>
  joined(db, realmId, range).forShare().pluck('id') as Promise<UserId[]>;
