/** # Headings: one to six `#`, a space and some text. */
import type { MarkdownIt, StateBlock } from 'markdown-it';

const HEADING = /^(#{1,6})[ \t]+(\S.*)$/;

function readHeading(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  if (state.sCount[startLine]! - state.blkIndent >= 4) return false;
  const start = state.bMarks[startLine]! + state.tShift[startLine]!;
  if (state.src[start] !== '#') return false;
  const match = HEADING.exec(state.src.slice(start, state.eMarks[startLine]).trimEnd());
  if (!match) return false;
  if (silent) return true;
  const tag = `h${match[1]!.length}`;
  state.line = startLine + 1;
  pushText(state, 'heading', tag, withoutClosing(match[2]!));
  return true;
}

/** A block of text, whose inline markup is parsed later. */
export function pushText(state: StateBlock, type: 'heading' | 'paragraph', tag: string, text: string): void {
  state.push(`${type}_open`, tag, 1);
  const inline = state.push('inline', '', 0);
  inline.content = text;
  inline.children = [];
  state.push(`${type}_close`, tag, -1);
}

/** Strips closing `#` signs. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  return end < text.length && /[ \t]/.test(text[end - 1] ?? ' ') ? text.slice(0, end).trimEnd() : text;
}

export function headingsPlugin(md: MarkdownIt): void {
  md.block.ruler.at('heading', readHeading, { alt: ['paragraph', 'reference', 'blockquote'] });
}
