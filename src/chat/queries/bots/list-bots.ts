/** A user's own bots, with their API keys. */
import type { Kernel } from '../../../kernel/kernel';
import { avatarOf } from '../../model/uploads/avatar';
import type { User } from '../../model/users/user';
import { ensureMember } from '../../model/users/user-policy';
import { botDefaults, botServices, NO_BOT_DEFAULTS } from '../../model/users/user-wire';
import * as endpoints from '../../store/bots/bot-endpoints';
import * as botKeys from '../../store/bots/bot-keys';
import * as bots from '../../store/bots/bots';

export async function listBots(kernel: Kernel, by: User): Promise<{ bots: Record<string, unknown>[] }> {
  ensureMember(by);
  const own = await bots.list(kernel.mysql, by.realmId, by.id);
  const ids = own.map(({ id }) => id);
  const sealed = await botKeys.sealedFor(kernel.mysql, by.id, ids);
  const defaults = await bots.defaults(kernel.mysql, ids);
  const found = await endpoints.list(kernel.mysql, kernel.secrets, [...sealed.keys()]);
  return {
    bots: own
      // Drops bots that changed hands since they were listed.
      .filter(({ id }) => sealed.has(id))
      .map((bot) => ({
        username: bot.email,
        user_id: bot.id,
        full_name: bot.fullName,
        bot_type: bot.botType,
        api_key: kernel.secrets.decrypt(sealed.get(bot.id)!),
        avatar_url: avatarOf(bot),
        services: botServices(found.get(bot.id)),
        ...botDefaults(defaults.get(bot.id) ?? NO_BOT_DEFAULTS),
      })),
  };
}
