/** Plain stretches of a paragraph, its line ends, and the spans that were found to be links. */
import type { MarkdownIt, StateInline } from 'markdown-it';
import { findAutolinks } from './autolinks';
import { findLinkifierMatches } from './linkifiers';
import { pushLink } from './links';
import { sceneOf, type Paragraph, type Span } from './scene';

/** Everything that some rule wants to look at; the last ranges are where emoji lie. */
const STOP = /[\n$&*`:@#[~<(;\u203c\u2049\u20e3\u2100-\u2bff\u3030\u303d\u3297\u3299\ud83c-\ud83e]/g;

/** The keycaps' first characters are digits, so they are found by what follows. */
const KEYCAP = /[0-9#*](?=\ufe0f?\u20e3)/g;

/** What is known of this paragraph; worked out when its first rule asks. */
export function paragraphOf(state: StateInline): Paragraph {
  const scene = sceneOf(state.env);
  if (scene.paragraph?.state !== state) scene.paragraph = { state, spans: findSpans(state), nextSpan: 0 };
  return scene.paragraph;
}

/** Bare addresses come before the organisation's own patterns. */
function findSpans(state: StateInline): Span[] {
  const links = findAutolinks(state.src);
  const { linkifiers } = sceneOf(state.env).context;
  if (linkifiers.length === 0) return links;
  return [...links, ...findLinkifierMatches(state.src, linkifiers)].sort((a, b) => a.start - b.start);
}

function nextSpan(state: StateInline): Span | undefined {
  const paragraph = paragraphOf(state);
  const { spans } = paragraph;
  while (paragraph.nextSpan < spans.length && spans[paragraph.nextSpan]!.start < state.pos) paragraph.nextSpan += 1;
  return spans[paragraph.nextSpan];
}

function readText(state: StateInline): boolean {
  const { src, pos } = state;
  STOP.lastIndex = pos;
  let end = STOP.exec(src)?.index ?? src.length;
  if (src[end] === '\u20e3' || src.includes('\u20e3')) {
    KEYCAP.lastIndex = pos;
    end = Math.min(end, KEYCAP.exec(src)?.index ?? end);
  }
  end = Math.min(end, nextSpan(state)?.start ?? end);
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
