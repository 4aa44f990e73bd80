/**
 * What a server refused, in the person's language. Servers speak English: `refusals/<language>.json` says each of their
 * sentences in another one. `{}` in a sentence is whatever the server puts there, `{1}` the first of these. A sentence
 * that nobody has translated is shown as it is.
 */
export type Sentences = Readonly<Record<string, string>>;
type Rule = readonly [pattern: RegExp, translation: string];

let known: ReadonlyMap<string, string> = new Map();
let rules: readonly Rule[] = [];

export function setRefusals(sentences: Sentences): void {
  known = new Map(Object.entries(sentences));
  rules = Object.entries(sentences)
    .filter(([sentence]) => sentence.includes('{}'))
    // The longest first: the others may be parts of it.
    .sort(([a], [b]) => b.length - a.length)
    .map(([sentence, translation]) => [patternOf(sentence), translation]);
}

function patternOf(sentence: string): RegExp {
  const parts = sentence.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('(.*?)')}$`, 's');
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

function wholly(text: string): string | undefined {
  const exact = known.get(text);
  if (exact !== undefined) return exact;
  for (const [pattern, translation] of rules) {
    const found = pattern.exec(text);
    if (found) return translation.replace(/\{(\d)\}/g, (whole, at: string) => found[Number(at)] ?? whole);
  }
  return undefined;
}
