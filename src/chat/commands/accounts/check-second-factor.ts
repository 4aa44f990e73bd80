/** Requires the second factor of users who have one, and uses up the given code. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { findTotpStep } from '../../../kernel/passwords/totp';
import { badCode, codeRequired, isRecoveryShaped, isTotpShaped, plainCode } from '../../model/accounts/two-factor';
import type { User, UserId } from '../../model/users/user';
import * as twoFactor from '../../store/accounts/two-factor';

export interface GivenCode {
  /** Empty if none was given. */
  readonly code: string;
  /** Counts an attempt; throws if there were too many. */
  readonly countTry: () => Promise<unknown>;
}

/** Returns whether there was one to check. */
export async function checkSecondFactor(kernel: Kernel, user: User, { code, countTry }: GivenCode): Promise<boolean> {
  const stored = await twoFactor.find(kernel.mysql, user.id);
  if (!stored?.isOn) return false;
  ensure(code !== '', codeRequired());
  await countTry();
  ensure(await useCode(kernel, user.id, stored, code), badCode());
  return true;
}

/** Returns whether the code is right. Each code works once. */
export async function useCode(
  kernel: Kernel,
  userId: UserId,
  { secretSealed }: twoFactor.TwoFactor,
  typed: string,
): Promise<boolean> {
  const code = plainCode(typed);
  if (isTotpShaped(code)) {
    const step = findTotpStep(kernel.secrets.decrypt(secretSealed), code, Date.now());
    return step !== undefined && kernel.transaction(({ db }) => twoFactor.useStep(db, userId, step));
  }
  if (!isRecoveryShaped(code)) return false;
  return kernel.transaction(({ db }) => twoFactor.useRecoveryCode(db, userId, kernel.secrets.lookup(code)));
}
