/** Asks for a bot's turn: there is something for it. May be lost; the sweeper asks again for what waits too long. */
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import { emptyInbox } from '../jobs';
import type { User, UserId } from '../model/user';

type Bot = Pick<User, 'id' | 'realmId'>;

export const nudgeInbox = (kernel: Kernel, { id: botId, realmId }: Bot): Promise<void> =>
  kernel.jobs.nudge(emptyInbox, `bot-${botId}`, { realmId, botId });

/** Bots that are being nudged; true: once more when that is done. */
const underWay = perKernel(() => new Map<UserId, boolean>());

/** Without waiting. In a burst, nudges that would go out at the same time are one. */
export function nudgeSoon(kernel: Kernel, bot: Bot): void {
  const nudging = underWay(kernel);
  if (nudging.has(bot.id)) return void nudging.set(bot.id, true);
  nudging.set(bot.id, false);
  nudgeInbox(kernel, bot)
    .catch((error: Error) => kernel.log.debug({ error }, 'could not nudge an inbox'))
    .finally(() => {
      const again = nudging.get(bot.id);
      nudging.delete(bot.id);
      if (again) nudgeSoon(kernel, bot);
    });
}
