/** Normalises words for search (lower case, without stop words, reduced to stems), and highlights them in results. */
import { partsOf } from '../markdown/formulas/drawn-formulas';
import { escapeAsNumbers } from '../markdown/html';

/** Too common to be useful in a search. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been but by for from had has have he her his i if in into is it its me my no not of on or our ' +
    'she so such that the their them then there these they this to us was we were what which who will with you your'
  ).split(' '),
);

/** The column's length. */
const MAX_LENGTH = 32;
const MAX_WORDS = 400;

const RUN = /[\p{L}\p{N}_]+/gu;
/** Scripts without spaces between words: every two adjacent characters count as a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** The stems of a run of letters and digits; none for a stop word. */
function stemsOf(run: string): string[] {
  const word = run.normalize('NFKC').toLowerCase();
  if (UNSPACED.test(word)) return pairsOf(word);
  return STOP_WORDS.has(word) ? [] : [Array.from(stem(word)).slice(0, MAX_LENGTH).join('')];
}

function pairsOf(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Distinct words. */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const [run] of text.matchAll(RUN)) {
    for (const word of stemsOf(run)) words.add(word);
    if (words.size >= MAX_WORDS) break;
  }
  return words;
}

/** The text of rendered content without tags; of formulas, their source. */
export function plainText(html: string): string {
  return partsOf(html)
    .map((part) => part.tex ?? part.html)
    .join(' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Math.min(Number(code), 0x10ffff)))
    .replaceAll(/&(lt|gt|amp|quot);/g, (_, name: 'lt' | 'gt' | 'amp' | 'quot') => ENTITIES[name]);
}

const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"' } as const;

/** Quoted phrases, which must match verbatim. */
export const phrasesOf = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"/g)].map((match) => match[1]!.trim()).filter((phrase) => phrase !== '');

const VOWEL = /[aeiouy]/;

/** Strips English endings, if a syllable remains. Other words stay unchanged. */
function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const singular = word.length === 3 ? word : withoutPlural(word);
  for (const ending of ['ing', 'ed', 'ly']) {
    const rest = singular.slice(0, -ending.length);
    if (singular.endsWith(ending) && rest.length >= 3 && VOWEL.test(rest)) return tidied(rest);
  }
  return tidied(singular);
}

function withoutPlural(word: string): string {
  if (/(ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(sses|shes|ches|xes|zes)$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

/** Running, runs and run; making, makes and make; tried and try. */
function tidied(word: string): string {
  const undoubled = /([bdgkmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
  const short = undoubled.length > 3 && undoubled.endsWith('e') ? undoubled.slice(0, -1) : undoubled;
  return short.endsWith('y') || short.endsWith('i') ? `${short.slice(0, -1)}i` : short;
}

const lit = (run: string, words: ReadonlySet<string>): string =>
  stemsOf(run).some((word) => words.has(word)) ? `<span class="highlight">${run}</span>` : run;

/** In rendered content: only between tags, never in an entity or in a drawn formula. */
export const highlightHtml = (html: string, words: ReadonlySet<string>): string =>
  partsOf(html)
    .map((part) => (part.tex === undefined ? highlightBetweenTags(part.html, words) : part.html))
    .join('');

function highlightBetweenTags(html: string, words: ReadonlySet<string>): string {
  return html.replaceAll(/<[^>]*>|&(?:#\d+|#x[\da-f]+|\w+);|[^<&]+/gi, (part) =>
    part.startsWith('<') || part.startsWith('&') ? part : part.replaceAll(RUN, (run) => lit(run, words)),
  );
}

/** In plain text. The result is HTML. */
export function highlightText(text: string, words: ReadonlySet<string>): string {
  let html = '';
  let end = 0;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    html += escapeAsNumbers(text.slice(end, index)) + lit(run, words);
    end = index + run.length;
  }
  return html + escapeAsNumbers(text.slice(end));
}
