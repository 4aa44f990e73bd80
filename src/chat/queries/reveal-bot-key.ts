/** Puts a bot's key into an event that was logged without it; only its owner and administrators hear such events. */
import type { Kernel } from '../../kernel/kernel';
import type { UserId } from '../model/user';
import * as users from '../store/users';

/** The payload of an entry of type realm_bot, as it goes to a client. */
export async function revealBotKey(kernel: Kernel, payload: string): Promise<string> {
  const event = JSON.parse(payload) as { bot: { user_id: UserId; api_key?: string | null } };
  if (event.bot.api_key !== null) return payload;
  const { keySealed } = await users.credentials(kernel.mysql, event.bot.user_id);
  return JSON.stringify({ ...event, bot: { ...event.bot, api_key: kernel.secrets.decrypt(keySealed) } });
}
