/**
 * Fills bots' keys and services into events about them as the events are sent. The log never holds these secrets, and
 * only a bot's owner and administrators get them.
 */
import { asciiJson } from '../../../kernel/text/ascii-json';
import type { Storage } from '../../../kernel/kernel';
import type { AudienceMember } from '../../model/events/audience';
import type { UserId } from '../../model/users/user';
import { botServices, type BotServices } from '../../model/users/user-wire';
import * as endpoints from '../../store/bots/bot-endpoints';
import * as bots from '../../store/bots/bots';

interface BotEvent {
  readonly bot: { readonly user_id: UserId; api_key?: string | null; services?: BotServices | null };
}

/** A cheap test for rare events: the type is always at the same position in the text. */
const isAboutBot = (event: string): boolean =>
  /^\{"id":\d+,"type":"realm_bot"/.test(event) &&
  (event.includes('"api_key":null') || event.includes('"services":null'));

/**
 * The secrets are the current ones, so access is checked now as well. The bot may have changed hands, or the reader may
 * have been demoted, since the event was published. Such a reader gets the event without the secrets.
 */
export async function fillBotKeys(
  kernel: Storage,
  reader: Pick<AudienceMember, 'id'>,
  events: readonly string[],
): Promise<readonly string[]> {
  if (!events.some(isAboutBot)) return events;
  const about = events.map((event) => (isAboutBot(event) ? (JSON.parse(event) as BotEvent) : undefined));
  const botIds = about.flatMap((event) => (event ? [event.bot.user_id] : []));
  const sealed = await bots.sealedKeys(kernel.mysql, reader.id, botIds);
  const reached = await endpoints.list(kernel.mysql, kernel.secrets, [...sealed.keys()]);
  return events.map((written, index) => {
    const bot = about[index]?.bot;
    if (!bot) return written;
    const key = sealed.get(bot.user_id);
    if (bot.api_key === null && key !== undefined) bot.api_key = kernel.secrets.decrypt(key);
    if (bot.services === null) bot.services = botServices(reached.get(bot.user_id));
    return asciiJson(JSON.stringify(about[index]));
  });
}
