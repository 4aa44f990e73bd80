/** Translates the server's refusals. Untranslated sentences are shown as they are. */
import { translatorOf, type Sentences, type Translate } from './sentences';

let wholly: Translate = () => undefined;

export function setRefusals(sentences: Sentences): void {
  wholly = translatorOf(sentences);
}

export function refusalText(text: string): string {
  return wholly(text) ?? text.split('; ').map(sentenceOf).join('; ');
}

/** `name: is required` is about a field, whose name is kept. */
function sentenceOf(text: string): string {
  const [, field = '', words = ''] = /^([\w.]+: )(.*)$/s.exec(text) ?? [];
  const translated = wholly(words);
  return wholly(text) ?? (translated === undefined ? text : field + translated);
}
