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
  state.push('heading_open', tag, 1);
  const inline = state.push('inline', '', 0);
  inline.content = withoutClosing(match[2]!);
  inline.children = [];
  state.push('heading_close', tag, -1);
  return true;
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
