/** What a server refused, in the person's language. A sentence that nobody has translated is shown as it is. */
import { translatorOf, type Sentences, type Translate } from './sentences';

let wholly: Translate = () => undefined;

export function setRefusals(sentences: Sentences): void {
  wholly = translatorOf(sentences);
}

export function refusalText(text: string): string {
  return wholly(text) ?? text.split('; ').map(sentenceOf).join('; ');
}

/** `name: is required` is about a field, whose name stays. */
function sentenceOf(text: string): string {
  const [, field = '', words = ''] = /^([\w.]+: )(.*)$/s.exec(text) ?? [];
  const translated = wholly(words);
  return wholly(text) ?? (translated === undefined ? text : field + translated);
}
