/** The difference that an edit made, as HTML with insertions and deletions marked. */
import htmldiff from 'node-htmldiff';
import { partsOf } from './formulas/drawn-formulas';
import { sanitise } from './sanitise';

/**
 * The comparison's cost grows with the pairs of equal words and with the number of words. Beyond these limits, the
 * whole old text is shown as deleted and the new one as inserted.
 */
const MAX_PAIRS = 40_000;
const MAX_TOKENS = 3000;

/** Links are compared as a whole, as the diff library does; everything else by tags, words and single characters. */
const TOKEN = /<a\b[^>]*>.*?<\/a>|<[^>]*>|\s+|[\w#@]+|&\w+;|./gs;

export function contentDiff(oldHtml: string, newHtml: string): string {
  const [before, after] = [showSources(oldHtml), showSources(newHtml)];
  const marked = compare(hideDeletions(before), hideDeletions(after));
  return sanitise(marked !== undefined && isBalanced(marked) ? marked : replaced(before, after));
}

/** Formulas are compared by their source, because a diff of drawings would be unreadable. */
const showSources = (html: string): string =>
  partsOf(html)
    .map((part) => (part.tex === undefined ? part.html : `$$${part.tex}$$`))
    .join('');

/** Text that its author struck through is not a deletion. */
const hideDeletions = (html: string): string => html.replace(/<(\/?)del>/g, '<$1struck>');

function compare(oldHtml: string, newHtml: string): string | undefined {
  const [before, after] = [oldHtml.match(TOKEN) ?? [], newHtml.match(TOKEN) ?? []];
  const start = sameAtStart(before, after);
  const end = sameAtEnd(before, after, start);
  const [oldMiddle, newMiddle] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  if (oldMiddle.length + newMiddle.length > MAX_TOKENS || countPairs(oldMiddle, newMiddle) > MAX_PAIRS)
    return undefined;
  const middle = markChanges(htmldiff(oldMiddle.join(''), newMiddle.join('')));
  const frame = [after.slice(0, start), after.slice(after.length - end)].map((tokens) =>
    showDeletions(tokens.join('')),
  );
  return frame[0]! + middle + frame[1]!;
}

function sameAtStart(before: readonly string[], after: readonly string[]): number {
  let count = 0;
  while (count < before.length && before[count] === after[count]) count += 1;
  return count;
}

function sameAtEnd(before: readonly string[], after: readonly string[], start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let count = 0;
  while (count < most && before.at(-1 - count) === after.at(-1 - count)) count += 1;
  return count;
}

function countPairs(before: readonly string[], after: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const token of after) counts.set(token, (counts.get(token) ?? 0) + 1);
  return before.reduce((sum, token) => sum + (counts.get(token) ?? 0), 0);
}

const markChanges = (diff: string): string =>
  showDeletions(
    diff
      .replace(/<ins\b[^>]*>/g, '<span class="highlight_text_inserted">')
      .replace(/<del\b[^>]*>/g, '<span class="highlight_text_deleted">')
      .replace(/<\/(?:ins|del)>/g, '</span>'),
  );

const showDeletions = (html: string): string => html.replace(/<(\/?)struck>/g, '<$1del>');

const replaced = (oldHtml: string, newHtml: string): string =>
  `<div class="highlight_text_deleted">${oldHtml}</div><div class="highlight_text_inserted">${newHtml}</div>`;

const VOID = new Set(['br', 'hr', 'img']);

/** Whether all tags are properly nested. Unbalanced markup could affect the rest of the page. */
function isBalanced(html: string): boolean {
  const opened: string[] = [];
  for (const [, slash, tag] of html.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    if (slash === '') {
      if (!VOID.has(tag!)) opened.push(tag!);
    } else if (opened.pop() !== tag) return false;
  }
  return opened.length === 0;
}
