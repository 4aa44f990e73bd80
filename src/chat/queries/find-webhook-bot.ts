/** Whose key an external service was given. */
import { KeptAnswers } from '../../kernel/kept-answers';
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import { badRequest, invalidWebhookKey, wrongWebhookSubdomain } from '../model/faults';
import { INCOMING_WEBHOOK, isKeyShaped, type User } from '../model/user';
import * as users from '../store/users';
import { isAt } from './find-realm';

/** A burst asks once. A key that was taken away works for so much longer. */
const KEPT_MS = 1000;
const MOST_KEPT = 10_000;
const kept = perKernel(() => new KeptAnswers<string, User>({ keptMs: KEPT_MS, most: MOST_KEPT }));

export async function findWebhookBot(kernel: Kernel, key: string, host: string): Promise<User> {
  if (!isKeyShaped(key)) throw invalidWebhookKey();
  const hash = kernel.secrets.lookup(key);
  const bot = await kept(kernel).get(hash, () => read(kernel, hash));
  if (!(await isAt(kernel, bot.realmId, host))) throw wrongWebhookSubdomain();
  return bot;
}

async function read(kernel: Kernel, hash: string): Promise<User> {
  const found = await users.byKeyHash(kernel.mysql, hash);
  if (!found || found.user.botType !== INCOMING_WEBHOOK || !found.isRealmActive) throw invalidWebhookKey();
  if (!found.user.isActive) throw badRequest('Account is deactivated');
  return found.user;
}
