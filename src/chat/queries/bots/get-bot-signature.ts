/** Returns the signature scheme that a bot's deliveries must use, never the secret. */
import type { Kernel } from '../../../kernel/kernel';
import type { User } from '../../model/users/user';
import * as botSignatures from '../../store/bots/bot-signatures';
import { getBot } from './get-bot';

export async function getBotSignature(kernel: Kernel, by: User, id: number): Promise<{ scheme: string | null }> {
  const bot = await getBot(kernel, by, id);
  return { scheme: await botSignatures.schemeOf(kernel.mysql, bot.id) };
}
