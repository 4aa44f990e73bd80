/** Renders messages and descriptions to HTML, in Zulip's Markdown. */
import { NOTHING_KNOWN, type RenderContext, type Rendered } from './context';
import { parseToHtml } from './engine';
import { insertDrawings } from './formulas/formulas';
import { findLinkifierMatches } from './patterns/linkifiers';
import { openBudget, type Budget } from './patterns/matcher';
import { plainParagraphs, renderPlain } from './plain';
import { sanitise } from './sanitise';
import { openScene, type Scene } from './scene';
import { MAX_HTML, unableToRender } from './unable-to-render';

/** A `/me` message, which describes an action. */
export const isMe = (content: string): boolean => content.startsWith('/me ');

export function render(content: string, context: RenderContext): Rendered {
  const scene = openScene(context, true);
  const html = htmlOf(content, scene);
  return {
    html,
    mentionedUserIds: [...scene.userIds],
    mentionedGroupIds: [...scene.groupIds],
    isWildcardMention: scene.isWildcardMention,
    isMe: isMe(content),
    hasLink: scene.hasLink,
    hasImage: scene.hasImage,
    hasAttachment: scene.hasAttachment,
    pages: scene.pages,
  };
}

/** A description of a stream or the organisation: the same Markdown, without lookups or drawings. */
export const renderDescription = (text: string): string => htmlOf(text, openScene(NOTHING_KNOWN, false));

function htmlOf(content: string, scene: Scene): string {
  const html = renderPlainly(content, scene.context, scene.budget) ?? toHtml(content, scene);
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

function toHtml(content: string, scene: Scene): string {
  const html = parseToHtml(content, scene);
  if (html.length > MAX_HTML) throw unableToRender();
  return insertDrawings(sanitise(html), scene);
}
