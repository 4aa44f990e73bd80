/** Computed once per paragraph: the ranges that are links by themselves. */
import type { StateInline } from 'markdown-it';
import { findAutolinks } from '../links/autolinks';
import { findLinkifierMatches } from '../patterns/linkifiers';
import { renderingOf, type Paragraph, type Span } from '../rendering';

/** The data of this paragraph, computed when its first rule needs it. */
export function paragraphOf(state: StateInline): Paragraph {
  const rendering = renderingOf(state.env);
  if (rendering.paragraph?.state !== state) rendering.paragraph = { state, spans: findSpans(state), nextSpan: 0 };
  return rendering.paragraph;
}

/** Bare URLs come before the organisation's linkifiers. */
function findSpans(state: StateInline): Span[] {
  const links = findAutolinks(state.src);
  const rendering = renderingOf(state.env);
  const { linkifiers } = rendering.context;
  if (linkifiers.length === 0) return links;
  return [...links, ...findLinkifierMatches(state.src, linkifiers, rendering.budget)].sort((a, b) => a.start - b.start);
}
