/** Opt-outs: who wants no texts from which of our numbers, and the words that say so. */
import type { CompanyId } from '../companies/company';
import type { E164 } from './texting';

/** By a texted word, or entered by a user of the company. */
export type OptOutSource = 'text' | 'user';

export interface OptOut {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly ourNumber: E164;
  readonly theirNumber: E164;
  readonly source: OptOutSource;
  readonly createdAt: Date;
}

export type ConsentWord = 'stop' | 'start' | 'help';

/** The words that North American carriers agree on. */
const WORDS: ReadonlyMap<string, ConsentWord> = new Map([
  ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPTOUT', 'REVOKE'].map(
    (word) => [word, 'stop'] as const,
  ),
  ...['START', 'YES', 'UNSTOP'].map((word) => [word, 'start'] as const),
  ...['HELP', 'INFO'].map((word) => [word, 'help'] as const),
]);

/** Only the word alone counts: "STOP PLEASE" may be about anything. */
export const consentWordOf = (text: string): ConsentWord | undefined => WORDS.get(text.trim().toUpperCase());

const MAX_NAME_LENGTH = 60;

/** The answer to HELP. */
export const helpText = (companyName: string): string =>
  `${companyName.slice(0, MAX_NAME_LENGTH)}: Reply STOP to get no more texts from this number, START to get them again.`;
