/** What a mail is composed of and with. */
import type { Letter } from '../../../kernel/mail/letter';
import type { Realm } from '../organisation/realm';
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
