/** Plain text, line breaks, and the ranges that were found to be links. */
import type { MarkdownIt, StateInline } from 'markdown-it';
import { paragraphOf } from '../blocks/paragraph';
import { pushLink } from '../links/links';
import type { Span } from '../rendering';

/** Every character that a rule handles. The last ranges contain the emoji. */
const STOP =
  /[\u20e3\n$&*`:@#[~<(;\u203c\u2049\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\ud83c-\ud83e]|!(?=(?:gr)?avatar\()/g;

function nextSpan(state: StateInline): Span | undefined {
  const paragraph = paragraphOf(state);
  const { spans } = paragraph;
  while (paragraph.nextSpan < spans.length && spans[paragraph.nextSpan]!.start < state.pos) paragraph.nextSpan += 1;
  return spans[paragraph.nextSpan];
}

function readText(state: StateInline): boolean {
  const { src, pos } = state;
  STOP.lastIndex = pos;
  const stop = STOP.exec(src)?.index ?? src.length;
  const end = Math.min(stop, nextSpan(state)?.start ?? stop);
  if (end <= pos) return false;
  state.pending += src.slice(pos, end);
  state.pos = end;
  return true;
}

function readSpan(state: StateInline): boolean {
  const span = nextSpan(state);
  if (span?.start !== state.pos) return false;
  if (!pushLink(state, span.href, state.src.slice(span.start, span.end))) return false;
  state.pos = span.end;
  return true;
}

function readNewline(state: StateInline): boolean {
  if (state.src[state.pos] !== '\n') return false;
  state.push('softbreak', 'br', 0);
  state.pos += 1;
  return true;
}

export function textPlugin(md: MarkdownIt): void {
  md.inline.ruler.at('text', readText);
  md.inline.ruler.at('newline', readNewline);
  md.inline.ruler.at('linkify', readSpan);
}
