/**
 * What the server says to operators, in their language: findings of the overview, remarks of desks, and why work failed.
 * The sentences are those of `doctor` and of the API, in English; see `shared/texts/sentences.ts`.
 */
import { loadPart } from '../../shared/lazy-part';
import { refusalText } from '../../shared/texts/refusals';
import { translatorOf, type Sentences, type Translate } from '../../shared/texts/sentences';

const lists = import.meta.glob<Sentences>('../../shared/texts/operators/*.json', { import: 'default' });

let translate: Translate = () => undefined;

/** Where the list cannot be had, the words are the server's own. */
export async function loadServerWords(language: string): Promise<void> {
  const load = lists[`../../shared/texts/operators/${language}.json`];
  translate = translatorOf(load ? await loadPart(load).catch(() => ({})) : {});
}

/** Undefined where the words are the server's own. */
export function translated(text: string): string | undefined {
  const refusal = refusalText(text);
  return translate(text) ?? (refusal === text ? undefined : refusal);
}

export const serverWords = (text: string): string => translated(text) ?? text;
