/** Bots with their keys, for those they belong to. */
import type { Kernel } from '../../kernel/kernel';
import { defaultAvatar, type User } from '../model/user';
import { ensureMember } from '../model/user-policy';
import { botDefaults } from '../model/user-wire';
import * as bots from '../store/bots';
import { keyOf } from './fetch-key';

export async function listBots(kernel: Kernel, by: User): Promise<{ bots: Record<string, unknown>[] }> {
  ensureMember(by);
  return { bots: await Promise.all((await bots.list(kernel.mysql, by.realmId, by.id)).map((bot) => own(kernel, bot))) };
}

async function own(kernel: Kernel, bot: User): Promise<Record<string, unknown>> {
  return {
    username: bot.email,
    user_id: bot.id,
    full_name: bot.fullName,
    bot_type: bot.botType,
    api_key: (await keyOf(kernel, bot)).api_key,
    avatar_url: defaultAvatar(bot.email),
    ...botDefaults(await bots.defaultsOf(kernel.mysql, bot.id)),
  };
}
