/** Asks for a bot's turn: there is something for it. May be lost; the sweeper asks again for what waits too long. */
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import { emptyInbox } from '../jobs';
import type { User, UserId } from '../model/user';

type Bot = Pick<User, 'id' | 'realmId'>;

export const nudgeInbox = (kernel: Kernel, { id: botId, realmId }: Bot): Promise<void> =>
  kernel.jobs.nudge(emptyInbox, `bot-${botId}`, { realmId, botId });

/** A turn that waits or is under way finds what comes meanwhile: the longer a burst lasts, the fewer nudges it takes. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 100;

/** Bots that were nudged just now; true: once more when the pause is over. */
const nudged = perKernel(() => new Map<UserId, boolean>());

/** Without waiting: a lone delivery at once, those of a burst together. */
export function nudgeSoon(kernel: Kernel, bot: Bot): void {
  const recent = nudged(kernel);
  if (recent.has(bot.id)) recent.set(bot.id, true);
  else nudgeAndPause(kernel, bot, FIRST_PAUSE_MS);
}

function nudgeAndPause(kernel: Kernel, bot: Bot, pauseMs: number): void {
  const recent = nudged(kernel);
  recent.set(bot.id, false);
  nudgeInbox(kernel, bot).catch((error: Error) => kernel.log.debug({ error }, 'could not nudge an inbox'));
  setTimeout(() => {
    const again = recent.get(bot.id);
    if (again && !kernel.lifecycle.draining.aborted)
      nudgeAndPause(kernel, bot, Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
    else recent.delete(bot.id);
  }, pauseMs).unref();
}
