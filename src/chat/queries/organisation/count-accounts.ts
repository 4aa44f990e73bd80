/** Counts organisations and accounts, including bots and deactivated ones. */
import type { Kernel } from '../../../kernel/kernel';
import * as realms from '../../store/organisation/realms';
import * as users from '../../store/users/users';

export async function countAccounts({ mysql }: Pick<Kernel, 'mysql'>): Promise<{ realms: number; users: number }> {
  return { realms: await realms.count(mysql), users: await users.count(mysql) };
}
