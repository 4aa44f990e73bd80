/** Asks for turns of outgoing webhook bots: at once, when a call is due again, and for calls that nobody looks at. */
import type { Kernel } from '../../kernel/kernel';
import { callBot } from '../jobs';
import type { OutgoingCall } from '../model/outgoing-webhook';
import type { RealmId } from '../model/realm';
import type { UserId } from '../model/user';
import type { Chat } from '../parts';
import * as calls from '../store/outgoing-calls';
import * as people from '../store/people';

interface Bot {
  readonly realmId: RealmId;
  readonly botId: UserId;
}

const wake = (kernel: Kernel, bot: Bot): Promise<void> => kernel.jobs.nudge(callBot, `bot-${bot.botId}`, bot);

/** Nobody waits for it: should Redis be away, the sweeper finds what was written with the message. */
export function wakeOutgoing(chat: Chat, realmId: RealmId, called: readonly OutgoingCall[]): void {
  for (const { botId } of called) {
    wake(chat.kernel, { realmId, botId }).catch((error: Error) =>
      chat.kernel.log.debug({ error }, 'could not wake an outgoing webhook bot'),
    );
  }
}

/** More has come, or was left: the next turn is asked for once this one is over. */
export async function wakeIfWaiting(kernel: Kernel, bot: Bot): Promise<void> {
  const waitMs = await calls.nextDueMs(kernel.mysql, bot.botId);
  if (waitMs === undefined) return;
  // A job that waits keeps its id: it must not be the one by which a new message wakes the bot.
  if (waitMs > 0) await kernel.jobs.nudge(callBot, `later-${bot.botId}`, bot, waitMs);
  else await wake(kernel, bot);
}

const DAY_MS = 24 * 3_600_000;
/** Until then a call can be looked at and tried again. */
const KEPT_MS = { done: 7 * DAY_MS, dropped: 7 * DAY_MS, failed: 30 * DAY_MS } as const;

export async function sweepOutgoing({ kernel }: Chat): Promise<void> {
  const bots = await calls.waitingBots(kernel.mysql, kernel.settings.sweepAfterMs);
  for (const { id: botId, realmId } of await people.anywhere(kernel.mysql, bots))
    await wake(kernel, { realmId, botId });
  for (const state of ['done', 'dropped', 'failed'] as const) {
    await calls.forgetOld(kernel.mysql, state, KEPT_MS[state]);
  }
}
