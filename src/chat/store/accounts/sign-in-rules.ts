/** Rows of chat_sign_in_rules: an organisation's sign-in rules. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';

export interface SignInRules {
  readonly isTwoFactorRequired: boolean;
}

export async function find(db: Knex, realmId: RealmId): Promise<SignInRules> {
  const row = (await db('chat_sign_in_rules').where({ realm_id: realmId }).first('is_two_factor_required')) as
    | { is_two_factor_required: number }
    | undefined;
  return { isTwoFactorRequired: row?.is_two_factor_required === 1 };
}

export async function set(db: Knex, realmId: RealmId, { isTwoFactorRequired }: SignInRules): Promise<void> {
  const columns = { is_two_factor_required: isTwoFactorRequired };
  await db('chat_sign_in_rules')
    .insert({ realm_id: realmId, ...columns })
    .onConflict()
    .merge(columns);
}

/** Users with a session but without a second factor. */
export async function peopleWithoutFactor(db: Knex, realmId: RealmId): Promise<UserId[]> {
  return (await db('chat_sessions')
    .join('chat_users', 'chat_users.id', 'chat_sessions.user_id')
    .where('chat_users.realm_id', realmId)
    .whereNotExists(db('chat_two_factor').whereRaw('chat_two_factor.user_id = chat_users.id').where({ is_on: true }))
    .distinct('chat_users.id')
    .pluck('chat_users.id')) as UserId[];
}
