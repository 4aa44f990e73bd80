/** The input and the result of composing a mail. */
import type { Letter } from '../../../kernel/mail/letter';
import type { Organisation } from '../../model/mail/mail-texts';
import type { Realm } from '../../model/organisation/realm';

/** The mail goes to the requested address, unless it names another. */
export type Written = Omit<Letter, 'to' | 'messageId'> & { readonly to?: string };
export type Composed = { readonly letter: Written } | { readonly dropped: string };

/** The facts that every kind of mail needs. */
export interface Surroundings {
  readonly realm: Realm;
  readonly organisation: Organisation;
}
