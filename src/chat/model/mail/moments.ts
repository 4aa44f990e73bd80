/** Moments as mail shows them. */
import type { ChatWords } from '../texts/chat-words';

/** In the recipient's language and time zone, which is empty if it is unknown. */
export function clockOf({ language }: Pick<ChatWords, 'language'>, timezone: string): (date: Date) => string {
  const format = new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: timezone === '' ? 'UTC' : timezone,
  });
  return (date) => format.format(date);
}
