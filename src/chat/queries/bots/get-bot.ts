/** Returns a bot, for users who may manage it. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { avatarOf } from '../../model/uploads/avatar';
import type { User } from '../../model/users/user';
import { noSuchBot } from '../../model/users/user-faults';
import { ensureMayRun, isBot, isSystemBot } from '../../model/users/user-policy';
import { botDefaults } from '../../model/users/user-wire';
import * as endpoints from '../../store/bots/bot-endpoints';
import * as bots from '../../store/bots/bots';
import * as users from '../../store/users/users';

export async function getBot(kernel: Kernel, by: User, id: number): Promise<User> {
  const bot = await users.byId(kernel.mysql, by.realmId, id);
  ensure(bot !== undefined && isBot(bot) && !isSystemBot(bot) && bot.isActive, noSuchBot());
  ensureMayRun(by, bot);
  return bot;
}

/** The response to creating or changing a bot. The requester may no longer own it. */
export async function getBotAnswer(kernel: Kernel, by: User, id: number): Promise<Record<string, unknown>> {
  const bot = (await users.byId(kernel.mysql, by.realmId, id))!;
  const owner = bot.botOwnerId === null ? undefined : await users.byId(kernel.mysql, by.realmId, bot.botOwnerId);
  const endpoint = await endpoints.find(kernel.mysql, kernel.secrets, bot.id);
  return {
    full_name: bot.fullName,
    avatar_url: avatarOf(bot),
    service_interface: endpoint?.interface ?? null,
    service_payload_url: endpoint?.url ?? null,
    config_data: null,
    ...botDefaults(await bots.defaultsOf(kernel.mysql, bot.id)),
    ...(owner ? { bot_owner: owner.email } : {}),
  };
}
