/**
 * Servers speak English: a list says each of their sentences in another language. `{}` in a sentence is whatever the
 * server puts there, `{1}` in the translation the first of these.
 */
export type Sentences = Readonly<Record<string, string>>;

/** The translation of a text, where the list has it. */
export type Translate = (text: string) => string | undefined;

export function translatorOf(sentences: Sentences): Translate {
  const known = new Map(Object.entries(sentences));
  const rules = Object.entries(sentences)
    .filter(([sentence]) => sentence.includes('{}'))
    // The longest first: the others may be parts of it.
    .sort(([a], [b]) => b.length - a.length)
    .map(([sentence, translation]) => [patternOf(sentence), translation] as const);
  return (text) => {
    const exact = known.get(text);
    if (exact !== undefined) return exact;
    for (const [pattern, translation] of rules) {
      const found = pattern.exec(text);
      if (found) return translation.replace(/\{(\d)\}/g, (whole, at: string) => found[Number(at)] ?? whole);
    }
    return undefined;
  };
}

function patternOf(sentence: string): RegExp {
  const parts = sentence.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('(.*?)')}$`, 's');
}
