/** What the server itself writes to people in the chat: mail, and what the notification bot says. */
import { openCatalogues, type Words } from '../../../kernel/texts/catalogue';
import type { Realm } from '../organisation/realm';
import type { StoredSettings } from '../users/user-settings';
import type english from './en.json';

export type ChatWords = Words<keyof typeof english>;

export const chatWords = openCatalogues<keyof typeof english>(__dirname);

/** A person's own language, or the organisation's for who has chosen none or has no account yet. */
export function wordsFor({ settings }: Pick<Realm, 'settings'>, own: StoredSettings = {}): ChatWords {
  const chosen = own['default_language'];
  return chatWords(typeof chosen === 'string' ? chosen : settings.default_language);
}
