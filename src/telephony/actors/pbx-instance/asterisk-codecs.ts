/** Converts an extension's codec lists to what Asterisk takes, and to what it shows when read back. */

/** Codecs that every phone supports. An instance may configure its own list. */
export const USUAL_CODECS = 'ulaw,alaw';

/** FreePBX separates codecs by `&`, Asterisk by commas. */
const wordsOf = (list: string): string[] =>
  list
    .toLowerCase()
    .split(/[,&|\s]+/)
    .filter((word) => word !== '');

/** Accepts only plain words, because other characters have a meaning to Asterisk. */
export const isCodecList = (list: string): boolean => /^[a-z0-9]\w*(,[a-z0-9]\w*)*$/i.test(list);

/**
 * Returns the value of `allow`. It is never empty: Asterisk accepts an endpoint without codecs but can then neither
 * read nor delete it. It starts with `!all`, because a change would otherwise only add codecs.
 */
export function allowOf(allow: string, disallow: string, usual: string): string {
  const words = wordsOf(allow);
  const refused = [...words.filter((word) => word.startsWith('!')).map((word) => word.slice(1)), ...wordsOf(disallow)];
  const named = words.filter((word) => !word.startsWith('!'));
  const wanted = (named.length > 0 ? named : wordsOf(usual)).filter((word) => !refused.includes(nameOf(word)));
  const except = wanted.includes('all') ? refused.filter((word) => word !== 'all').map((word) => `!${word}`) : [];
  return ['!all', ...(wanted.length > 0 ? wanted : wordsOf(usual)), ...except].join(',');
}

/** Drops the packet time: `ulaw:20` is ulaw in packets of 20 ms. */
const nameOf = (word: string): string => word.replace(/:.*$/, '');

/** Returns that value as Asterisk shows it, or undefined for `all`, which only Asterisk can expand. */
export function shownCodecs(allow: string): string | undefined {
  const words = wordsOf(allow).filter((word) => !word.startsWith('!'));
  return words.includes('all') ? undefined : `(${[...new Set(words.map(nameOf))].join('|')})`;
}
