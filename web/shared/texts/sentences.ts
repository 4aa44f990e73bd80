/**
 * Translates the server's English sentences by a list. `{}` in a sentence matches anything; `{1}` in the translation is
 * the first match.
 */
export type Sentences = Readonly<Record<string, string>>;

/** Returns the translation of a text, if the list has one. */
export type Translate = (text: string) => string | undefined;

export function translatorOf(sentences: Sentences): Translate {
  const known = new Map(Object.entries(sentences));
  const rules = Object.entries(sentences)
    .filter(([sentence]) => sentence.includes('{}'))
    // Longest first, because shorter sentences may be part of longer ones.
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
