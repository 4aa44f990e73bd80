/** Lists: two spaces nest, any bullet continues any other, and numbering starts at the first number. */
import type { MarkdownIt, StateBlock, Token } from 'markdown-it';
import { execAt } from '../boundary';

interface Marker {
  readonly number: number | undefined;
  /** Where the item's text begins. */
  readonly contentStart: number;
}

const MARKER = /(?:[*+-]|(\d{1,9})\.)[ \t]+(?=\S)/y;
const NESTING = 2;

function markerOf(state: StateBlock, line: number): Marker | undefined {
  const match = execAt(MARKER, state.src, state.bMarks[line]! + state.tShift[line]!);
  if (!match || MARKER.lastIndex > state.eMarks[line]!) return undefined;
  return { number: match[1] === undefined ? undefined : Number(match[1]), contentStart: MARKER.lastIndex };
}

/** An item, unless it is indented so deep that it is code. */
const itemAt = (state: StateBlock, line: number): Marker | undefined =>
  state.sCount[line]! - state.blkIndent >= 4 ? undefined : markerOf(state, line);

/** A year at the start of a line must not turn a paragraph into a list, but a list may have more than nine items. */
const mayEndParagraph = ({ listIndent }: StateBlock, { number = 0 }: Marker): boolean => number < 10 || listIndent >= 0;

function readList(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const first = itemAt(state, startLine);
  if (!first) return false;
  if (silent) return state.parentType !== 'paragraph' || mayEndParagraph(state, first);
  const isOrdered = first.number !== undefined;
  const open = state.push(isOrdered ? 'ordered_list_open' : 'bullet_list_open', isOrdered ? 'ol' : 'ul', 1);
  if (isOrdered && first.number !== 1) open.attrs = [['start', first.number!]];
  const firstToken = state.tokens.length;
  const isTight = readItems(state, { marker: first, line: startLine, endLine });
  state.push(isOrdered ? 'ordered_list_close' : 'bullet_list_close', isOrdered ? 'ol' : 'ul', -1);
  if (isTight) hideParagraphs(state.tokens, firstToken, state.level + 2);
  return true;
}

/** Reads the items. Returns whether there is no blank line between them. */
function readItems(state: StateBlock, from: { marker: Marker; line: number; endLine: number }): boolean {
  const isOrdered = from.marker.number !== undefined;
  const terminators = state.md.block.ruler.getRules('list');
  const oldType = state.parentType;
  state.parentType = 'list';
  let isTight = true;
  let hadBlankEnd = false;
  let { line, marker }: { line: number; marker: Marker | undefined } = from;
  while (marker) {
    const isItemTight = readItem(state, marker, { line, endLine: from.endLine });
    if (!isItemTight || hadBlankEnd) isTight = false;
    hadBlankEnd = state.line - line > 1 && state.isEmpty(state.line - 1);
    line = state.line;
    if (line >= from.endLine || state.sCount[line]! < state.blkIndent) break;
    if (terminators.some((rule) => rule(state, line, from.endLine, true))) break;
    marker = itemAt(state, line);
    if (marker && (marker.number !== undefined) !== isOrdered) break;
  }
  state.parentType = oldType;
  return isTight;
}

function readItem(state: StateBlock, marker: Marker, { line, endLine }: { line: number; endLine: number }): boolean {
  const { tight, blkIndent, listIndent } = state;
  const [begin, shift, count] = [state.bMarks[line]!, state.tShift[line]!, state.sCount[line]!];
  state.push('list_item_open', 'li', 1);
  state.listIndent = blkIndent;
  state.blkIndent = count + NESTING;
  state.tight = true;
  [state.bMarks[line], state.tShift[line], state.sCount[line]] = [marker.contentStart, 0, state.blkIndent];
  state.md.block.tokenize(state, line, endLine);
  const isTight = state.tight;
  [state.bMarks[line], state.tShift[line], state.sCount[line]] = [begin, shift, count];
  Object.assign(state, { tight, blkIndent, listIndent });
  state.push('list_item_close', 'li', -1);
  return isTight;
}

function hideParagraphs(tokens: readonly Token[], from: number, level: number): void {
  for (let index = from; index < tokens.length; index += 1) {
    const token = tokens[index]!;
    if (token.level === level && (token.type === 'paragraph_open' || token.type === 'paragraph_close'))
      token.hidden = true;
  }
}

export function listsPlugin(md: MarkdownIt): void {
  md.block.ruler.at('list', readList, { alt: ['paragraph', 'reference', 'blockquote'] });
  const { rules } = md.renderer;
  // A nested list follows its item's text directly.
  for (const type of ['bullet_list_open', 'ordered_list_open']) {
    rules[type] = (tokens, index, options) => md.renderer.renderToken(tokens, index, options).trimStart();
  }
}
