/** What a letter is written from, and what comes of it. */
import type { Letter } from '../../../kernel/mail/letter';
import type { Organisation } from '../../model/mail/mail-texts';
import type { Realm } from '../../model/organisation/realm';

/** The letter goes to the address that was asked for, unless it names another. */
export type Written = Omit<Letter, 'to' | 'messageId'> & { readonly to?: string };
export type Composed = { readonly letter: Written } | { readonly dropped: string };

/** What all kinds of mail need to know. */
export interface Surroundings {
  readonly realm: Realm;
  readonly organisation: Organisation;
}
