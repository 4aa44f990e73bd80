/** What a bot's program needs to log in, in the format that Zulip's clients read. */
import type { Kernel } from '../../kernel/kernel';
import type { User } from '../model/user';
import { noSuchBot } from '../model/user-faults';
import * as botKeys from '../store/bot-keys';
import { findPublicUrl } from './find-public-url';
import { getBot } from './get-bot';

export async function getZuliprc(kernel: Kernel, by: User, id: number): Promise<string> {
  const bot = await getBot(kernel, by, id);
  const sealed = (await botKeys.sealedFor(kernel.mysql, by.id, [bot.id])).get(bot.id);
  // Given away, or deactivated, since it was looked at.
  if (sealed === undefined) throw noSuchBot();
  const key = kernel.secrets.decrypt(sealed);
  return `[api]\nemail=${bot.email}\nkey=${key}\nsite=${await findPublicUrl(kernel, by.realmId)}\n`;
}
