/** What the words of a path say about who serves it. */

export const isUnder = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && (prefix === '' || path.length === prefix.length || path[prefix.length] === '/');

/** A word that stands in a path as it is: without parameters, and without parts that may be left out. */
const PLAIN_WORD = /^[\w.-]+$/;

/** What stands between the first two slashes from a place in a path on. */
function firstWord(path: string, from: number): string {
  const end = path.indexOf('/', from + 1);
  return path.slice(from + 1, end === -1 ? path.length : end);
}

/**
 * Groups routes by the first word of their path after the prefix. A router compares a path with each of its routes,
 * which for two hundred routes costs more than everything else before a route runs. So each first word gets a router of
 * the patterns that may begin with it. Other paths, perhaps with the same word in capitals, get a router of all
 * patterns.
 */
export function byFirstWord<Pattern extends { readonly path: string }, Made>(
  prefixLength: number,
  patterns: readonly Pattern[],
  make: (some: readonly Pattern[]) => Made,
): (path: string) => Made {
  const wordOf = ({ path }: Pattern) => firstWord(path, 0);
  const words = new Set(patterns.map(wordOf).filter((word) => PLAIN_WORD.test(word)));
  const beginningWith = (own: string) =>
    patterns.filter((pattern) => wordOf(pattern) === own || !words.has(wordOf(pattern)));
  const made = new Map([...words].map((word) => [word, make(beginningWith(word))]));
  const all = make(patterns);
  return (path) => made.get(firstWord(path, prefixLength)) ?? all;
}
