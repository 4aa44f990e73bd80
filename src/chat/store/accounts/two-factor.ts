/** Rows of chat_two_factor and chat_recovery_codes, and of chat_sign_in_rules: who must have a second factor. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { put, readColumn } from '../rows';

export interface TwoFactor {
  readonly secretSealed: string;
  readonly isOn: boolean;
}

export async function find(db: Knex, userId: UserId): Promise<TwoFactor | undefined> {
  const row = (await db('chat_two_factor').where({ user_id: userId }).first('secret_sealed', 'is_on')) as
    | { secret_sealed: string; is_on: number }
    | undefined;
  return row && { secretSealed: row.secret_sealed, isOn: row.is_on === 1 };
}

/** Stores a secret that is not enabled yet. Starting again replaces the secret. */
export async function begin(db: Knex, userId: UserId, secretSealed: string): Promise<void> {
  await put(db('chat_two_factor'), { user_id: userId }, { secret_sealed: secretSealed });
}

/** Returns false if it is already on. */
export async function turnOn(db: Knex, userId: UserId, step: number): Promise<boolean> {
  return (
    (await db('chat_two_factor').where({ user_id: userId, is_on: false }).update({ is_on: true, last_step: step })) > 0
  );
}

export async function remove(db: Knex, userId: UserId): Promise<void> {
  await db('chat_recovery_codes').where({ user_id: userId }).delete();
  await db('chat_two_factor').where({ user_id: userId }).delete();
}

/** Returns false if a code of this or a later time step was already used. */
export async function useStep(db: Knex, userId: UserId, step: number): Promise<boolean> {
  const fresh = db('chat_two_factor').where({ user_id: userId, is_on: true }).where('last_step', '<', step);
  return (await fresh.update({ last_step: step })) > 0;
}

export async function setRecoveryCodes(db: Knex, userId: UserId, hashes: readonly string[]): Promise<void> {
  await db('chat_recovery_codes').where({ user_id: userId }).delete();
  await db('chat_recovery_codes').insert(hashes.map((code_hash) => ({ user_id: userId, code_hash })));
}

/** Returns false if the code does not exist or was used. */
export async function useRecoveryCode(db: Knex, userId: UserId, hash: string): Promise<boolean> {
  return (await db('chat_recovery_codes').where({ user_id: userId, code_hash: hash }).delete()) > 0;
}

export const isRequired = async (db: Knex, realmId: RealmId): Promise<boolean> =>
  (await readColumn(db('chat_sign_in_rules').where({ realm_id: realmId }), 'is_two_factor_required')) === 1;

export const setRequired = (db: Knex, realmId: RealmId, required: boolean): Promise<void> =>
  put(db('chat_sign_in_rules'), { realm_id: realmId }, { is_two_factor_required: required });

/** Users with a session but without a second factor. */
export async function peopleWithoutFactor(db: Knex, realmId: RealmId): Promise<UserId[]> {
  return (await db('chat_sessions')
    .join('chat_users', 'chat_users.id', 'chat_sessions.user_id')
    .where('chat_users.realm_id', realmId)
    .whereNotExists(db('chat_two_factor').whereRaw('chat_two_factor.user_id = chat_users.id').where({ is_on: true }))
    .distinct('chat_users.id')
    .pluck('chat_users.id')) as UserId[];
}
