/** Notifies a bot's owner of dead letters by private message: each exactly once, and many in few messages. */
import { Fault } from '../../../kernel/fault';
import { groupBy } from '../../../kernel/group';
import { newId } from '../../../kernel/id';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import * as deadLetters from '../../store/bots/dead-letters';
import * as people from '../../store/users/people';
import { notificationBot } from '../messages/notification-bot';
import { sendMessage } from '../messages/send-message';

/** The first is reported at once; those that follow within this time are batched. */
const PAUSE_MS = 60_000;

/** Called under the bot's lease or by the sweep. The message's origin keeps a second call from sending it again. */
export async function notifyOfDeadLetters(chat: Sending, bot: User): Promise<void> {
  if (!(await deadLetters.isNotifiedSince(chat.mysql, bot.id, PAUSE_MS))) {
    await deadLetters.gather(chat.mysql, bot.id, newId());
  }
  const unnotified = await deadLetters.unnotified(chat.mysql, bot.id);
  for (const [notice, failed] of groupBy(unnotified, (each) => each.notice)) {
    await notifyOwner(chat, bot, notice, failed);
    await chat.pause('after-notice');
    await deadLetters.markNotified(
      chat.mysql,
      failed.map(({ id }) => id),
    );
  }
}

/** Catches up on notices that a worker did not send. */
export async function notifyOfAllDeadLetters(chat: Sending): Promise<void> {
  const { mysql } = chat;
  for (const bot of await people.anywhere(mysql, await deadLetters.botsToNotifyOf(mysql))) {
    await notifyOfDeadLetters(chat, bot);
  }
}

async function notifyOwner(
  chat: Sending,
  bot: User,
  notice: string,
  failed: readonly deadLetters.Unnotified[],
): Promise<void> {
  if (bot.botOwnerId === null) return;
  const content = deadLetterNotice(bot, failed);
  const to = JSON.stringify([bot.botOwnerId]);
  const from = await notificationBot(chat, bot.realmId);
  try {
    await sendMessage(chat, from, { type: 'private', to, content, client: 'Internal', origin: `notice:${notice}` });
  } catch (error) {
    // An owner who has left cannot be notified.
    if (!(error instanceof Fault) || error.kind === 'unavailable') throw error;
    chat.log.warn({ bot: bot.id, reason: error.message }, 'could not notify the owner of a bot of dead letters');
  }
}

const MAX_LINES = 10;

/** External text must not act as markup, nor close the code span around it. */
const quoted = (text: string): string => `\`${text.replaceAll('`', "'").replaceAll(/\s+/g, ' ').slice(0, 200)}\``;

function deadLetterNotice(bot: { readonly email: string }, failed: readonly deadLetters.Unnotified[]): string {
  const lines = failed.slice(0, MAX_LINES).map(({ id, integration, stream, error }) => {
    const place = stream === null ? '' : ` for stream ${quoted(stream)}`;
    return `* delivery ${id} from ${integration}${place}: ${quoted(error)}`;
  });
  if (failed.length > MAX_LINES) lines.push(`* and ${failed.length - MAX_LINES} more`);
  const what = failed.length === 1 ? 'a delivery' : `${failed.length} deliveries`;
  return [
    `Your bot ${quoted(bot.email)} received ${what} that could not be sent:`,
    '',
    ...lines,
    '',
    'Nothing is lost: those who run this server can send it again once the reason is gone.',
  ].join('\n');
}
