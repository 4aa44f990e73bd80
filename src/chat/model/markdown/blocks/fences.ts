/**
 * Fenced blocks of backticks or tildes: code, quotes, spoilers and formulas. Quotes and spoilers contain other blocks,
 * and end at the same fence that opened them.
 */
import type { MarkdownIt, StateBlock } from 'markdown-it';
import { isFormula } from '../formulas/formulas';
import { renderingOf } from '../rendering';
import { pushText } from './headings';
import { codeBlock } from './highlight';

export interface Fence {
  readonly row: string;
  readonly language: string;
  /** The text after `spoiler`. */
  readonly heading: string;
}

const OPENING = /^(~{3,}|`{3,}) *(?:\{?\.?([\w+\-./#]*)\}?|(spoiler) +(\S.*?)) *$/;
const QUOTES = new Set(['quote', 'quoted']);

export const isHolder = ({ language }: Fence): boolean => QUOTES.has(language) || language === 'spoiler';

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]).trimEnd();
}

export function openingOf(text: string): Fence | undefined {
  if (!text.startsWith('```') && !text.startsWith('~~~')) return undefined;
  const match = OPENING.exec(text);
  return match
    ? { row: match[1]!, language: (match[3] ?? match[2]!).toLowerCase(), heading: match[4] ?? '' }
    : undefined;
}

/** The line that closes the fence, or the end of its container: an unclosed fence takes everything. */
function closingLine(state: StateBlock, fence: Fence, { from, to }: { from: number; to: number }): number {
  const opened = [fence];
  for (let line = from; line < to; line += 1) {
    if (state.sCount[line]! < state.blkIndent && !state.isEmpty(line)) return line;
    const text = lineOf(state, line);
    const innermost = opened.at(-1)!;
    if (text === innermost.row) opened.pop();
    else if (isHolder(innermost)) {
      const inner = openingOf(text);
      if (inner) opened.push(inner);
    }
    if (opened.length === 0) return line;
  }
  return to;
}

function readFence(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (state.sCount[startLine]! - state.blkIndent >= 4) return false;
  const fence = openingOf(lineOf(state, startLine));
  if (!fence) return false;
  if (silent) return true;
  const closing = closingLine(state, fence, { from: startLine + 1, to: endLine });
  if (isHolder(fence)) pushHolder(state, fence, { from: startLine + 1, to: closing });
  else pushCode(state, fence, { from: startLine + 1, to: closing });
  const isClosed = closing < endLine && lineOf(state, closing) === fence.row;
  state.line = isClosed ? closing + 1 : closing;
  return true;
}

function pushCode(state: StateBlock, { row, language }: Fence, { from, to }: { from: number; to: number }): void {
  const isDrawn = isFormula(language) && renderingOf(state.env).isMessage;
  const token = state.push(isDrawn ? 'formula_block' : 'fence', 'code', 0);
  token.info = language === 'math' ? '' : language;
  token.markup = row;
  token.content = state.getLines(from, to, state.blkIndent, true);
}

function pushHolder(state: StateBlock, fence: Fence, { from, to }: { from: number; to: number }): void {
  const isQuote = QUOTES.has(fence.language);
  const [oldMax, oldType] = [state.lineMax, state.parentType];
  state.parentType = 'blockquote';
  state.lineMax = to;
  if (isQuote) state.push('blockquote_open', 'blockquote', 1);
  else {
    state.push('spoiler_open', 'div', 1);
    if (fence.heading !== '') pushText(state, 'paragraph', 'p', fence.heading);
    state.push('spoiler_middle', 'div', 0);
  }
  state.md.block.tokenize(state, from, to);
  if (isQuote) state.push('blockquote_close', 'blockquote', -1);
  else state.push('spoiler_close', 'div', -1);
  state.parentType = oldType;
  state.lineMax = oldMax;
}

export function fencesPlugin(md: MarkdownIt): void {
  md.block.ruler.at('fence', readFence, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
  const { rules } = md.renderer;
  rules['fence'] = (tokens, index) => `${codeBlock(tokens[index]!.content, tokens[index]!.info)}\n`;
  rules['code_block'] = (tokens, index) => `${codeBlock(tokens[index]!.content, '')}\n`;
  rules['spoiler_open'] = () => '<div class="spoiler-block"><div class="spoiler-header">\n';
  rules['spoiler_middle'] = () => '</div><div class="spoiler-content" aria-hidden="true">\n';
  rules['spoiler_close'] = () => '</div></div>\n';
}
