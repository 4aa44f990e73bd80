/** Removes a second factor: for its owner, who proves themselves by password or code, or for an administrator. */
import { emailKey } from '../../../kernel/secrets/email-key';
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
  /** The client's IP address. */
  readonly from: string;
}

export async function removeOwnTwoFactor(kernel: Kernel, by: User, proof: Proof): Promise<void> {
  ensure(await isProof(kernel, by, proof), wrongProof());
  await removeTwoFactor(kernel, by);
}

/** Users without a password here must give a code. */
async function isProof(kernel: Kernel, by: User, { password, code, from }: Proof): Promise<boolean> {
  const stored = await twoFactor.find(kernel.mysql, by.id);
  if (code !== '') return stored !== undefined && useCode(kernel, by.id, stored, code);
  const { passwordHash } = await users.credentials(kernel.mysql, by.id);
  const requester = { address: from, account: `${by.realmId}:${emailKey(by.email)}` };
  return passwordHash !== null && kernel.passwords.check(password, passwordHash, requester);
}

/** If the organisation requires a second factor, every node re-evaluates the user's sessions. */
export async function removeTwoFactor(kernel: Kernel, user: User): Promise<void> {
  await kernel.transaction(async (tx) => {
    await users.lock(tx.db, user.realmId, user.id);
    await twoFactor.remove(tx.db, user.id);
    tx.deliver(accessChanged(user.realmId, user.id));
  });
}
