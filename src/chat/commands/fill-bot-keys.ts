/** Puts keys into events about bots as they leave: a key never lies in the log, and only its owner and admins get the event. */
import { asciiJson } from '../../kernel/ascii-json';
import type { Kernel } from '../../kernel/kernel';
import type { UserId } from '../model/user';
import * as botKeys from '../store/bot-keys';

interface BotEvent {
  readonly bot: { readonly user_id: UserId; api_key?: string | null };
}

/** Cheap to tell apart, as these are rare: the place of the type in the text is always the same. */
const isAboutBot = (event: string): boolean =>
  /^\{"id":\d+,"type":"realm_bot"/.test(event) && event.includes('"api_key":null');

export async function fillBotKeys(kernel: Kernel, events: readonly string[]): Promise<readonly string[]> {
  if (!events.some(isAboutBot)) return events;
  const about = events.map((event) => (isAboutBot(event) ? (JSON.parse(event) as BotEvent) : undefined));
  const sealed = await botKeys.sealed(
    kernel.mysql,
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
