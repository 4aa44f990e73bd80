/** Tells a bot's owner, in a private message, of deliveries that failed for good: each exactly once, a flood in few. */
import { Fault } from '../../kernel/fault';
import { groupBy } from '../../kernel/group';
import { newId } from '../../kernel/id';
import type { Kernel } from '../../kernel/kernel';
import { deadLetterNotice } from '../model/dead-letter-notice';
import type { User } from '../model/user';
import * as deadLetters from '../store/dead-letters';
import { notificationBot } from './notification-bot';
import { sendMessage } from './send-message';

/** The first is told at once; what follows within this time is told together. */
const PAUSE_MS = 60_000;

/** Called under the bot's lease, or by the sweeper: whoever comes second finds the first one's message by its origin. */
export async function tellOfDeadLetters(kernel: Kernel, bot: User): Promise<void> {
  if (!(await deadLetters.isToldSince(kernel.mysql, bot.id, PAUSE_MS))) {
    await deadLetters.gather(kernel.mysql, bot.id, newId());
  }
  const untold = await deadLetters.untold(kernel.mysql, bot.id);
  for (const [notice, failed] of groupBy(untold, (each) => each.notice)) {
    await tellOwner(kernel, bot, notice, failed);
    await kernel.pause('after-notice');
    await deadLetters.markTold(
      kernel.mysql,
      failed.map(({ id }) => id),
    );
  }
}

async function tellOwner(
  kernel: Kernel,
  bot: User,
  notice: string,
  failed: readonly deadLetters.Untold[],
): Promise<void> {
  if (bot.botOwnerId === null) return;
  const content = deadLetterNotice(bot, failed);
  const to = JSON.stringify([bot.botOwnerId]);
  const from = await notificationBot(kernel, bot.realmId);
  try {
    await sendMessage(kernel, from, { type: 'private', to, content, client: 'Internal', origin: `notice:${notice}` });
  } catch (error) {
    // An owner who has left cannot be told.
    if (!(error instanceof Fault) || error.kind === 'unavailable') throw error;
    kernel.log.warn({ bot: bot.id, reason: error.message }, 'the owner of a bot could not be told of dead letters');
  }
}
