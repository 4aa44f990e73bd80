/** Whose key an external service was given. */
import { KeptAnswers } from '../../kernel/kept-answers';
import { findByKey, type ShownKey } from '../../kernel/key-lookups';
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import { badRequest, invalidWebhookKey, wrongWebhookSubdomain } from '../model/faults';
import { INCOMING_WEBHOOK, isKeyShaped, type User } from '../model/user';
import * as users from '../store/users';
import type { Incoming } from './find-key-holder';
import { isAt } from './find-realm';

/** A burst asks once. A key that was taken away works for so much longer. */
const KEPT_MS = 1000;
const BOUNDS = { keptMs: KEPT_MS, most: 10_000, bytes: 8 * 1024 * 1024, valueBytes: 400 };
const kept = perKernel(() => new KeptAnswers<string, User>(BOUNDS));

export async function findWebhookBot(kernel: Kernel, key: string, { host, ip: from }: Incoming): Promise<User> {
  if (!isKeyShaped(key)) throw invalidWebhookKey();
  const keyHash = kernel.secrets.lookup(key);
  const bot = await kept(kernel).get(keyHash, () => read(kernel, { keyHash, from }));
  if (!(await isAt(kernel, bot.realmId, host))) throw wrongWebhookSubdomain();
  return bot;
}

async function read(kernel: Kernel, shown: ShownKey): Promise<User> {
  const found = await findByKey(kernel, shown, () => users.byKeyHash(kernel.mysql, shown.keyHash));
  if (!found || found.user.botType !== INCOMING_WEBHOOK || !found.isRealmActive) throw invalidWebhookKey();
  if (!found.user.isActive) throw badRequest('Account is deactivated');
  return found.user;
}
