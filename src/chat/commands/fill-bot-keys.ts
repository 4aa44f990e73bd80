/** Puts keys into events about bots as they leave: a key never lies in the log, and only its owner and admins get it. */
import { asciiJson } from '../../kernel/ascii-json';
import type { Kernel } from '../../kernel/kernel';
import type { Hearer } from '../model/audience';
import type { UserId } from '../model/user';
import * as botKeys from '../store/bot-keys';

interface BotEvent {
  readonly bot: { readonly user_id: UserId; api_key?: string | null };
}

/** Cheap to tell apart, as these are rare: the place of the type in the text is always the same. */
const isAboutBot = (event: string): boolean =>
  /^\{"id":\d+,"type":"realm_bot"/.test(event) && event.includes('"api_key":null');

/**
 * The key is the one that the bot has now, so the right to it is judged now as well: the event may have waited since before
 * the bot was given away or the reader was demoted. Such a reader is sent the event without the key.
 */
export async function fillBotKeys(
  kernel: Kernel,
  reader: Pick<Hearer, 'id'>,
  events: readonly string[],
): Promise<readonly string[]> {
  if (!events.some(isAboutBot)) return events;
  const about = events.map((event) => (isAboutBot(event) ? (JSON.parse(event) as BotEvent) : undefined));
  const sealed = await botKeys.sealedFor(
    kernel.mysql,
    reader.id,
    about.flatMap((event) => (event ? [event.bot.user_id] : [])),
  );
  return events.map((written, index) => {
    const event = about[index];
    const key = event && sealed.get(event.bot.user_id);
    if (!event || key === undefined) return written;
    event.bot.api_key = kernel.secrets.decrypt(key);
    return asciiJson(JSON.stringify(event));
  });
}
