/** Takes away a second factor: for its owner, who shows the password or a code, or for an administrator. */
import { emailKey } from '../../../kernel/email-key';
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { wrongProof } from '../../model/accounts/two-factor';
import type { User } from '../../model/users/user';
import { accessChanged } from '../../model/users/user-events';
import * as twoFactor from '../../store/accounts/two-factor';
import * as users from '../../store/users/users';
import { useCode } from './check-second-factor';

export interface Proof {
  readonly password: string;
  readonly code: string;
  /** The address it comes from. */
  readonly from: string;
}

export async function removeOwnTwoFactor(kernel: Kernel, by: User, proof: Proof): Promise<void> {
  ensure(await isProof(kernel, by, proof), wrongProof());
  await removeTwoFactor(kernel, by);
}

/** Whoever signs in without a password of ours shows a code. */
async function isProof(kernel: Kernel, by: User, { password, code, from }: Proof): Promise<boolean> {
  const stored = await twoFactor.find(kernel.mysql, by.id);
  if (code !== '') return stored !== undefined && useCode(kernel, by.id, stored, code);
  const { passwordHash } = await users.credentials(kernel.mysql, by.id);
  const asker = { address: from, account: `${by.realmId}:${emailKey(by.email)}` };
  return passwordHash !== null && kernel.passwords.check(password, passwordHash, asker);
}

/** Where the organisation asks for one, every node looks again at what the sessions of the user may do. */
export async function removeTwoFactor(kernel: Kernel, user: User): Promise<void> {
  await kernel.transaction(async (tx) => {
    await users.lock(tx.db, user.realmId, user.id);
    await twoFactor.remove(tx.db, user.id);
    tx.deliver(accessChanged(user.realmId, user.id));
  });
}
