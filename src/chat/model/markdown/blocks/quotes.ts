/**
 * Quotes, as Zulip reads them: a quote lasts to the next blank line, and `>` alone is text. Parses the inline text of
 * every block too, and tracks the quote depth: mentions in quotes are silent.
 */
import type { MarkdownIt, StateBlock, StateCore } from 'markdown-it';
import { renderingOf } from '../rendering';

const startOf = (state: StateBlock, line: number): number => state.bMarks[line]! + state.tShift[line]!;

const isMarked = (state: StateBlock, line: number): boolean =>
  state.sCount[line]! - state.blkIndent < 4 && state.src[startOf(state, line)] === '>';

const isInside = (state: StateBlock, line: number): boolean => state.sCount[line]! >= state.blkIndent;

const isMarkAlone = (state: StateBlock, line: number): boolean =>
  isMarked(state, line) && state.skipSpaces(startOf(state, line) + 1) >= state.eMarks[line]!;

/** A line without `>` continues the quote unless another block begins there. */
function isContinued(state: StateBlock, line: number, endLine: number): boolean {
  if (line >= endLine || state.isEmpty(line)) return false;
  if (isMarked(state, line) && isInside(state, line)) return true;
  return !state.md.block.ruler.getRules('blockquote').some((rule) => rule(state, line, endLine, true));
}

function beginsQuote(state: StateBlock, line: number, endLine: number): boolean {
  if (!isMarked(state, line)) return false;
  if (!isMarkAlone(state, line)) return true;
  // In a paragraph, the line before has been looked at: no text follows its `>` and those after it.
  if (state.parentType === 'paragraph' && isMarkAlone(state, line - 1)) return false;
  let next = line + 1;
  while (next < endLine && isMarkAlone(state, next) && isInside(state, next)) next += 1;
  return isContinued(state, next, endLine);
}

function readQuote(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (!beginsQuote(state, startLine, endLine)) return false;
  if (silent) return true;
  const { parentType, lineMax, blkIndent } = state;
  state.parentType = 'blockquote';
  let end = startLine + 1;
  while (isContinued(state, end, endLine)) end += 1;
  const putMarksBack = takeMarksOff(state, startLine, end);
  state.lineMax = end;
  state.blkIndent = 0;
  state.push('blockquote_open', 'blockquote', 1);
  state.md.block.tokenize(state, startLine, end);
  state.push('blockquote_close', 'blockquote', -1);
  Object.assign(state, { parentType, lineMax, blkIndent });
  putMarksBack();
  return true;
}

/** Makes each line begin after its `>` and one space. Returns what undoes that. */
function takeMarksOff(state: StateBlock, from: number, to: number): () => void {
  const { bMarks, tShift, sCount, bsCount } = state;
  const lines = [bMarks, tShift, sCount, bsCount];
  const before = lines.map((list) => list.slice(from, to));
  for (let line = from; line < to; line += 1) {
    if (isMarked(state, line) && isInside(state, line)) takeMarkOff(state, line);
    else sCount[line] = Math.max(0, sCount[line]! - state.blkIndent);
  }
  return () => {
    for (const [index, list] of lines.entries()) list.splice(from, to - from, ...before[index]!);
  };
}

function takeMarkOff(state: StateBlock, line: number): void {
  const mark = startOf(state, line);
  const begin = /[ \t]/.test(state.src[mark + 1] ?? '') && mark + 1 < state.eMarks[line]! ? mark + 2 : mark + 1;
  const text = Math.min(state.skipSpaces(begin), state.eMarks[line]!);
  const blanks = state.src.slice(begin, text);
  state.bsCount[line]! += begin - state.bMarks[line]!;
  state.bMarks[line] = begin;
  state.tShift[line] = blanks.length;
  state.sCount[line] = blanks.replaceAll('\t', '    ').length;
}

function readInlines({ tokens, md, env }: StateCore): void {
  const rendering = renderingOf(env);
  for (const token of tokens) {
    if (token.type === 'inline') md.inline.parse(token.content, md, env, token.children!);
    else if (token.type === 'blockquote_open') rendering.quoteDepth += 1;
    else if (token.type === 'blockquote_close') rendering.quoteDepth -= 1;
  }
}

export function quotesPlugin(md: MarkdownIt): void {
  md.block.ruler.at('blockquote', readQuote, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
  md.core.ruler.at('inline', readInlines);
}
