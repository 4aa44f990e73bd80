/** The codecs of an extension as Asterisk wants and shows them. */

/** What every phone speaks; an instance may have a list of its own. */
export const USUAL_CODECS = 'ulaw,alaw';

/** FreePBX separates codecs by `&`, Asterisk by commas. */
const wordsOf = (list: string): string[] =>
  list
    .toLowerCase()
    .split(/[,&|\s]+/)
    .filter((word) => word !== '');

/** A codec that is not a plain word would say something else to Asterisk. */
export const isCodecList = (list: string): boolean => /^[a-z0-9]\w*(,[a-z0-9]\w*)*$/i.test(list);

/**
 * The value of `allow`. It is never empty: Asterisk takes an endpoint without codecs, and can then neither read nor
 * delete it. It begins with `!all`, because a change would otherwise add to the codecs that are there.
 */
export function allowOf(allow: string, disallow: string, usual: string): string {
  const words = wordsOf(allow);
  const refused = [...words.filter((word) => word.startsWith('!')).map((word) => word.slice(1)), ...wordsOf(disallow)];
  const named = words.filter((word) => !word.startsWith('!'));
  const wanted = (named.length > 0 ? named : wordsOf(usual)).filter((word) => !refused.includes(nameOf(word)));
  const except = wanted.includes('all') ? refused.filter((word) => word !== 'all').map((word) => `!${word}`) : [];
  return ['!all', ...(wanted.length > 0 ? wanted : wordsOf(usual)), ...except].join(',');
}

/** `ulaw:20` is ulaw in packets of 20 ms. */
const nameOf = (word: string): string => word.replace(/:.*$/, '');

/** How Asterisk shows that value; undefined for `all`, which only Asterisk knows the meaning of. */
export function shownCodecs(allow: string): string | undefined {
  const words = wordsOf(allow).filter((word) => !word.startsWith('!'));
  return words.includes('all') ? undefined : `(${[...new Set(words.map(nameOf))].join('|')})`;
}
