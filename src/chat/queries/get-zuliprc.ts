/** What a bot's program needs to log in, in the format that Zulip's clients read. */
import type { Kernel } from '../../kernel/kernel';
import type { User } from '../model/user';
import { keyOf } from './fetch-key';
import { findPublicUrl } from './find-public-url';
import { getBot } from './get-bot';

export async function getZuliprc(kernel: Kernel, by: User, id: number): Promise<string> {
  const bot = await getBot(kernel, by, id);
  const { api_key: key } = await keyOf(kernel, bot);
  return `[api]\nemail=${bot.email}\nkey=${key}\nsite=${await findPublicUrl(kernel, by.realmId)}\n`;
}
