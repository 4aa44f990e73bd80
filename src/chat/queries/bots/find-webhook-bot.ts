/** Finds the bot of the API key that an external service uses. */
import { isSameEmail } from '../../../kernel/secrets/email-key';
import type { ShownKey } from '../../../kernel/secrets/key-lookups';
import type { Kernel, Storage } from '../../../kernel/kernel';
import { badRequest, invalidWebhookKey, wrongWebhookSubdomain } from '../../model/faults';
import { INCOMING_WEBHOOK, isKeyShaped, type User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as users from '../../store/users/users';
import type { Incoming } from '../accounts/keys';
import { isAt } from '../organisation/find-realm';

export interface WebhookKey {
  readonly key: string;
  /** The bot's email address; empty if the service sent the key alone. */
  readonly email: string;
}

export async function findWebhookBot(
  chat: Storage & Pick<Chat, 'keys' | 'realms' | 'webhookBots'>,
  { key, email }: WebhookKey,
  { host, ip: from }: Incoming,
): Promise<User> {
  if (!isKeyShaped(key)) throw invalidWebhookKey();
  const keyHash = chat.secrets.lookup(key);
  const bot = await chat.webhookBots.get(keyHash, () => read(chat, { keyHash, from }));
  if (email !== '' && !isSameEmail(bot.email, email)) throw invalidWebhookKey();
  if (!(await isAt(chat.realms, bot.realmId, host))) throw wrongWebhookSubdomain();
  return bot;
}

async function read(kernel: Pick<Kernel, 'keys' | 'mysql'>, shown: ShownKey): Promise<User> {
  const found = await kernel.keys.find(shown, () => users.byKeyHash(kernel.mysql, shown.keyHash));
  if (!found || found.user.botType !== INCOMING_WEBHOOK || !found.isRealmActive) throw invalidWebhookKey();
  if (!found.user.isActive) throw badRequest('Account is deactivated');
  return found.user;
}
