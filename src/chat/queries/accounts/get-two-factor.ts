/** Whether a user has a second factor, and whether their organisation requires one. */
import { ensure } from '../../../kernel/fault';
import type { Database } from '../../../kernel/mysql/pool';
import { secondFactorMissing } from '../../model/accounts/two-factor';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import * as twoFactor from '../../store/accounts/two-factor';

export async function getTwoFactor(db: Database, user: User): Promise<{ on: boolean; required: boolean }> {
  const on = (await twoFactor.find(db, user.id))?.isOn === true;
  return { on, required: await twoFactor.isRequired(db, user.realmId) };
}

/** Whether the organisation requires a second factor that the user has not set up. */
export async function lacksFactor(db: Database, user: User): Promise<boolean> {
  const { on, required } = await getTwoFactor(db, user);
  return required && !on;
}

/**
 * Everything that gives a user a key comes here. Sessions are given without it, but without a required second factor
 * they can only set one up (find-session-user.ts).
 */
export async function ensureHasFactor(db: Database, user: User): Promise<void> {
  ensure(!(await lacksFactor(db, user)), secondFactorMissing());
}

export async function isFactorRequired(db: Database, by: User): Promise<boolean> {
  ensureAdmin(by);
  return twoFactor.isRequired(db, by.realmId);
}
