/**
 * Asks for a turn for every bot with something that has been waiting too long, and makes up for what was left undone.
 */
import type { Chat } from '../../parts';
import { untoldBots } from '../../store/bots/dead-letters';
import * as deliveries from '../../store/bots/deliveries';
import * as people from '../../store/users/people';
import { wakeInbox } from './wake-inbox';
import { tellOfDeadLetters } from './tell-of-dead-letters';

const DAY_MS = 24 * 3_600_000;
/** Until then a delivery can be looked at and replayed. */
const KEPT_MS = { done: 7 * DAY_MS, dropped: 7 * DAY_MS, failed: 30 * DAY_MS } as const;

export async function sweepInboxes(chat: Chat): Promise<void> {
  const bots = await deliveries.waitingBots(chat.kernel.mysql, chat.kernel.settings.sweepAfterMs);
  for (const bot of await people.anywhere(chat.kernel.mysql, bots)) await wakeInbox(chat.kernel, bot);
  const untold = await untoldBots(chat.kernel.mysql);
  for (const bot of await people.anywhere(chat.kernel.mysql, untold)) await tellOfDeadLetters(chat, bot);
  for (const state of ['done', 'dropped', 'failed'] as const) {
    await deliveries.forgetOld(chat.kernel.mysql, state, KEPT_MS[state]);
  }
}
