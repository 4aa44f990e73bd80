/** A bot's login configuration, in the format that Zulip's clients read. */
import type { User } from '../../model/users/user';
import { noSuchBot } from '../../model/users/user-faults';
import type { Chat } from '../../parts';
import * as botKeys from '../../store/bots/bot-keys';
import { getBot } from './get-bot';

export async function getZuliprc(chat: Chat, by: User, id: number): Promise<string> {
  const bot = await getBot(chat.kernel, by, id);
  const sealed = (await botKeys.sealedFor(chat.kernel.mysql, by.id, [bot.id])).get(bot.id);
  // The bot changed hands or was deactivated after the lookup above.
  if (sealed === undefined) throw noSuchBot();
  const key = chat.kernel.secrets.decrypt(sealed);
  return `[api]\nemail=${bot.email}\nkey=${key}\nsite=${await chat.realms.publicUrl(by.realmId)}\n`;
}
