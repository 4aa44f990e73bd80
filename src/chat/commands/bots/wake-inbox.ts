/** Asks for a bot's turn: there is something for it. May be lost; the sweeper asks again for what waits too long. */
import type { Kernel } from '../../../kernel/kernel';
import { emptyInbox } from '../../jobs';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';

type Bot = Pick<User, 'id' | 'realmId'>;

export const wakeInbox = (kernel: Kernel, { id: botId, realmId }: Bot): Promise<void> =>
  kernel.jobs.wakeOne(emptyInbox, `bot-${botId}`, { realmId, botId });

/** A turn that waits or is under way finds what comes meanwhile: the longer a burst lasts, the fewer wakes it takes. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 100;

/** Without waiting: a lone delivery at once, those of a burst together. */
export function wakeSoon(chat: Chat, bot: Bot): void {
  const recent = chat.wokenInboxes;
  if (recent.has(bot.id)) recent.set(bot.id, true);
  else wakeAndPause(chat, bot, FIRST_PAUSE_MS);
}

function wakeAndPause(chat: Chat, bot: Bot, pauseMs: number): void {
  const recent = chat.wokenInboxes;
  recent.set(bot.id, false);
  wakeInbox(chat.kernel, bot).catch((error: Error) => chat.kernel.log.debug({ error }, 'could not wake an inbox'));
  setTimeout(() => {
    const again = recent.get(bot.id);
    if (again && !chat.kernel.lifecycle.draining.aborted)
      wakeAndPause(chat, bot, Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
    else recent.delete(bot.id);
  }, pauseMs).unref();
}
