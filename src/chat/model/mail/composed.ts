/** What a mail is composed of and with. */
import type { Letter } from '../../../kernel/mail/letter';
import type { Realm } from '../organisation/realm';
import type { StoredSettings } from '../users/user-settings';
import { chatWords, type ChatWords } from '../texts/chat-words';
import type { Organisation } from './mail-texts';

/** The mail goes to the requested address, unless it names another. */
export type Composed =
  | { readonly letter: Omit<Letter, 'to' | 'messageId'> & { readonly to?: string } }
  | { readonly dropped: string };

/** The facts that every kind of mail needs. */
export interface Surroundings {
  readonly realm: Realm;
  readonly organisation: Organisation;
}

/** A person's own language, or the organisation's for who has chosen none or has no account yet. */
export function wordsFor({ settings }: Pick<Realm, 'settings'>, own: StoredSettings = {}): ChatWords {
  const chosen = own['default_language'];
  return chatWords(typeof chosen === 'string' ? chosen : settings.default_language);
}
