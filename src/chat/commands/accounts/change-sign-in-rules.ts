/** Changes an organisation's sign-in rules. */
import type { Kernel } from '../../../kernel/kernel';
import type { User } from '../../model/users/user';
import { accessChanged } from '../../model/users/user-events';
import { ensureAdmin } from '../../model/users/user-policy';
import * as signInRules from '../../store/accounts/sign-in-rules';

export async function changeSignInRules(kernel: Kernel, by: User, rules: signInRules.SignInRules): Promise<void> {
  ensureAdmin(by);
  await kernel.transaction(async (tx) => {
    await signInRules.set(tx.db, by.realmId, rules);
    if (!rules.isTwoFactorRequired) return;
    // From now on, on every node, these users' sessions can only set up a second factor.
    for (const userId of await signInRules.peopleWithoutFactor(tx.db, by.realmId)) {
      tx.deliver(accessChanged(by.realmId, userId));
    }
  });
}
