/** What is done for people later than their request: welcoming new ones, and ending statuses. */
import type { Realm, RealmId } from '../organisation/realm';
import { chatWords } from '../texts/chat-words';
import type { UserId } from './user';

export interface Newcomer {
  readonly realmId: RealmId;
  readonly userId: UserId;
}

export interface EndingStatus {
  readonly realmId: RealmId;
  readonly userId: UserId;
  /** Seconds. A status that has another end by then is left alone. */
  readonly endsAt: number;
}

/** The organisation's own words, or ours in its language. */
export function welcomeText({ name, settings }: Realm): string {
  const own = settings.welcome_message_custom_text;
  if (own.trim() !== '') return own;
  return chatWords(settings.default_language).say('bot.welcome', { name });
}
