/** Marks the reader's alert words in a message, by the rule with which the server finds them. */

/** Punctuation that may stand before and after a word, besides white space and the ends of the text. */
const BEFORE = '(".,\';[*`>';
const AFTER = ')"?:.,\';]!*`';

const isEdge = (character: string | undefined, signs: string): boolean =>
  character === undefined || /\s/.test(character) || signs.includes(character);

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Where the words are, from left to right; of words within each other the longest. */
export function wordsIn(text: string, words: readonly string[]): readonly Span[] {
  const lower = text.toLowerCase();
  // A few letters become two, and all places behind them would be wrong.
  if (lower.length !== text.length) return [];
  const spans = words.flatMap((word) => spansOf(lower, word.toLowerCase()));
  const ordered = spans.sort((a, b) => a.from - b.from || b.to - a.to);
  const apart: Span[] = [];
  for (const span of ordered) if (span.from >= (apart.at(-1)?.to ?? 0)) apart.push(span);
  return apart;
}

function spansOf(text: string, word: string): Span[] {
  const spans: Span[] = [];
  if (word === '') return spans;
  for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + 1)) {
    const to = from + word.length;
    if (isEdge(text[from - 1], BEFORE) && isEdge(text[to], AFTER)) spans.push({ from, to });
  }
  return spans;
}

/** Formulas are drawings, and a mark would move their parts. */
const LEFT_ALONE = '.katex';

export function markWords(nodes: DocumentFragment, words: readonly string[]): void {
  const walker = document.createTreeWalker(nodes, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (!text.parentElement?.closest(LEFT_ALONE)) markIn(text, words);
  }
}

function markIn(text: Text, words: readonly string[]): void {
  // From the end, so that the places before stay where they are.
  for (const { from, to } of wordsIn(text.data, words).toReversed()) {
    const word = text.splitText(from);
    word.splitText(to - from);
    const mark = document.createElement('span');
    mark.className = 'alert-word';
    word.replaceWith(mark);
    mark.append(word);
  }
}
