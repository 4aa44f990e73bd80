/** Whose key an external service was given. */
import type { Kernel } from '../../kernel/kernel';
import { badRequest, invalidWebhookKey, wrongWebhookSubdomain } from '../model/faults';
import { INCOMING_WEBHOOK, isKeyShaped, type User } from '../model/user';
import * as users from '../store/users';
import { isAt } from './find-realm';

export async function findWebhookBot(kernel: Kernel, key: string, host: string): Promise<User> {
  const found = isKeyShaped(key) ? await users.byKeyHash(kernel.mysql, kernel.secrets.lookup(key)) : undefined;
  if (!found || found.user.botType !== INCOMING_WEBHOOK || !found.isRealmActive) throw invalidWebhookKey();
  if (!found.user.isActive) throw badRequest('Account is deactivated');
  if (!(await isAt(kernel, found.user.realmId, host))) throw wrongWebhookSubdomain();
  return found.user;
}
