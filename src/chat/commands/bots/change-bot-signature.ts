/** Sets or removes the secret with which services sign their deliveries to a bot. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { INCOMING_WEBHOOK, type User } from '../../model/users/user';
import { noSuchBot, onlyWebhookBots } from '../../model/users/user-faults';
import { ensureMayRun } from '../../model/users/user-policy';
import { getBot } from '../../queries/bots/get-bot';
import * as botSignatures from '../../store/bots/bot-signatures';
import * as users from '../../store/users/users';

/** Null removes the signature: the bot's key alone is enough again. */
export async function changeBotSignature(
  kernel: Kernel,
  by: User,
  id: number,
  signature: botSignatures.BotSignature | null,
): Promise<void> {
  const { realmId } = await getBot(kernel, by, id);
  await kernel.transaction(async ({ db }) => {
    const bot = await users.lock(db, realmId, id);
    ensure(bot?.isActive === true, noSuchBot());
    // Checked again under the lock, because the owner may have changed.
    ensureMayRun(by, bot);
    ensure(bot.botType === INCOMING_WEBHOOK, onlyWebhookBots());
    if (signature) await botSignatures.set(db, kernel.secrets, bot.id, signature);
    else await botSignatures.remove(db, bot.id);
  });
}
