/** Tells a bot's owner, in a private message, of deliveries that failed for good: each exactly once, a flood in few. */
import { Fault } from '../../../kernel/fault';
import { groupBy } from '../../../kernel/group';
import { newId } from '../../../kernel/id';
import { deadLetterNotice } from '../../model/bots/dead-letter-notice';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as deadLetters from '../../store/bots/dead-letters';
import * as people from '../../store/users/people';
import { notificationBot } from '../messages/notification-bot';
import { sendMessage } from '../messages/send-message';

/** The first is told at once; what follows within this time is told together. */
const PAUSE_MS = 60_000;

/**
 * Called under the bot's lease, or by the sweeper: whoever comes second finds the first one's message by its origin.
 */
export async function tellOfDeadLetters(chat: Chat, bot: User): Promise<void> {
  if (!(await deadLetters.isToldSince(chat.kernel.mysql, bot.id, PAUSE_MS))) {
    await deadLetters.gather(chat.kernel.mysql, bot.id, newId());
  }
  const untold = await deadLetters.untold(chat.kernel.mysql, bot.id);
  for (const [notice, failed] of groupBy(untold, (each) => each.notice)) {
    await tellOwner(chat, bot, notice, failed);
    await chat.kernel.pause('after-notice');
    await deadLetters.markTold(
      chat.kernel.mysql,
      failed.map(({ id }) => id),
    );
  }
}

/** Makes up for what a worker did not come to tell. */
export async function tellOfAllDeadLetters(chat: Chat): Promise<void> {
  const { mysql } = chat.kernel;
  for (const bot of await people.anywhere(mysql, await deadLetters.untoldBots(mysql))) {
    await tellOfDeadLetters(chat, bot);
  }
}

async function tellOwner(chat: Chat, bot: User, notice: string, failed: readonly deadLetters.Untold[]): Promise<void> {
  if (bot.botOwnerId === null) return;
  const content = deadLetterNotice(bot, failed);
  const to = JSON.stringify([bot.botOwnerId]);
  const from = await notificationBot(chat, bot.realmId);
  try {
    await sendMessage(chat, from, { type: 'private', to, content, client: 'Internal', origin: `notice:${notice}` });
  } catch (error) {
    // An owner who has left cannot be told.
    if (!(error instanceof Fault) || error.kind === 'unavailable') throw error;
    chat.kernel.log.warn(
      { bot: bot.id, reason: error.message },
      'the owner of a bot could not be told of dead letters',
    );
  }
}
