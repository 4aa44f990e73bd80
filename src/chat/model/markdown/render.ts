/** Renders messages and descriptions to HTML, in Zulip's Markdown. */
import { NOTHING_KNOWN, type RenderContext, type Rendered } from './context';
import { parseToHtml } from './engine';
import { insertDrawings } from './formulas/formulas';
import { findLinkifierMatches } from './patterns/linkifiers';
import { openBudget, type Budget } from './patterns/matcher';
import { plainParagraphs, renderPlain } from './plain';
import { sanitise } from './sanitise';
import { openRendering, type Rendering } from './rendering';
import { MAX_HTML, unableToRender } from './unable-to-render';

/** A `/me` message, which describes an action. */
export const isMe = (content: string): boolean => content.startsWith('/me ');

export function render(content: string, context: RenderContext): Rendered {
  const rendering = openRendering(context, true);
  const html = htmlOf(content, rendering);
  return {
    html,
    mentionedUserIds: [...rendering.userIds],
    mentionedGroupIds: [...rendering.groupIds],
    isWildcardMention: rendering.isWildcardMention,
    isMe: isMe(content),
    hasLink: rendering.hasLink,
    hasImage: rendering.hasImage,
    hasAttachment: rendering.hasAttachment,
    pages: rendering.pages,
  };
}

/** A description of a stream or the organisation: the same Markdown, without lookups or drawings. */
export const renderDescription = (text: string): string => htmlOf(text, openRendering(NOTHING_KNOWN, false));

function htmlOf(content: string, rendering: Rendering): string {
  const html = renderPlainly(content, rendering.context, rendering.budget) ?? toHtml(content, rendering);
  if (html.length > MAX_HTML) throw unableToRender();
  return html;
}

/** The fast path for text without markup, names or links. */
export function renderPlainly(
  content: string,
  { translateEmoticons, linkifiers }: Pick<RenderContext, 'translateEmoticons' | 'linkifiers'>,
  budget: Budget = openBudget(),
): string | undefined {
  if (translateEmoticons) return undefined;
  const paragraphs = plainParagraphs(content);
  const isLinked = paragraphs?.some((text) => findLinkifierMatches(text, linkifiers, budget).length > 0);
  if (!paragraphs || isLinked) return undefined;
  const html = renderPlain(paragraphs);
  return html.length > MAX_HTML ? undefined : html;
}

function toHtml(content: string, rendering: Rendering): string {
  const html = parseToHtml(content, rendering);
  if (html.length > MAX_HTML) throw unableToRender();
  return insertDrawings(sanitise(html), rendering);
}
