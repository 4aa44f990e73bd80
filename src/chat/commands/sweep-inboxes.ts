/** Asks for a turn for every bot with something that has been waiting too long. */
import type { Kernel } from '../../kernel/kernel';
import * as deliveries from '../store/deliveries';
import * as people from '../store/people';
import { nudgeInbox } from './receive-delivery';

export async function sweepInboxes(kernel: Kernel): Promise<void> {
  const bots = await deliveries.waitingBots(kernel.mysql, kernel.settings.sweepAfterMs);
  for (const bot of await people.anywhere(kernel.mysql, bots)) await nudgeInbox(kernel, bot);
}
