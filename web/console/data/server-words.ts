/**
 * Translates the server's English sentences for operators: findings, work queue descriptions and failure reasons. The
 * sentences come from `doctor` and the API; see `shared/texts/sentences.ts`.
 */
import { loadPart } from '../../shared/lazy-part';
import { refusalText } from '../../shared/texts/refusals';
import { translatorOf, type Sentences, type Translate } from '../../shared/texts/sentences';

const lists = import.meta.glob<Sentences>('../../shared/texts/operators/*.json', { import: 'default' });

let translate: Translate = () => undefined;

/** If the translations cannot be loaded, the English text is shown. */
export async function loadServerWords(language: string): Promise<void> {
  const load = lists[`../../shared/texts/operators/${language}.json`];
  translate = translatorOf(load ? await loadPart(load).catch(() => ({})) : {});
}

/** Undefined if there is no translation. */
export function translated(text: string): string | undefined {
  const refusal = refusalText(text);
  return translate(text) ?? (refusal === text ? undefined : refusal);
}

export const serverWords = (text: string): string => translated(text) ?? text;
