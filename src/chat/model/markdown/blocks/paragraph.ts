/** What is worked out once for a whole paragraph: the stretches of it that are links by themselves. */
import type { StateInline } from 'markdown-it';
import { findAutolinks } from '../links/autolinks';
import { findLinkifierMatches } from '../patterns/linkifiers';
import { sceneOf, type Paragraph, type Span } from '../scene';

/** What is known of this paragraph; worked out when its first rule asks. */
export function paragraphOf(state: StateInline): Paragraph {
  const scene = sceneOf(state.env);
  if (scene.paragraph?.state !== state) scene.paragraph = { state, spans: findSpans(state), nextSpan: 0 };
  return scene.paragraph;
}

/** Bare addresses come before the organisation's own patterns. */
function findSpans(state: StateInline): Span[] {
  const links = findAutolinks(state.src);
  const scene = sceneOf(state.env);
  const { linkifiers } = scene.context;
  if (linkifiers.length === 0) return links;
  return [...links, ...findLinkifierMatches(state.src, linkifiers, scene.budget)].sort((a, b) => a.start - b.start);
}
