/** Computed once per paragraph: the ranges that are links by themselves. */
import type { StateInline } from 'markdown-it';
import { findAutolinks } from '../links/autolinks';
import { findLinkifierMatches } from '../patterns/linkifiers';
import { sceneOf, type Paragraph, type Span } from '../scene';

/** The data of this paragraph, computed when its first rule needs it. */
export function paragraphOf(state: StateInline): Paragraph {
  const scene = sceneOf(state.env);
  if (scene.paragraph?.state !== state) scene.paragraph = { state, spans: findSpans(state), nextSpan: 0 };
  return scene.paragraph;
}

/** Bare URLs come before the organisation's linkifiers. */
function findSpans(state: StateInline): Span[] {
  const links = findAutolinks(state.src);
  const scene = sceneOf(state.env);
  const { linkifiers } = scene.context;
  if (linkifiers.length === 0) return links;
  return [...links, ...findLinkifierMatches(state.src, linkifiers, scene.budget)].sort((a, b) => a.start - b.start);
}
