/** Renders messages and descriptions to HTML, in Zulip's Markdown. */
import { NOTHING_KNOWN, type RenderContext, type Rendered } from './context';
import { parseToHtml } from './engine';
import { insertDrawings } from './formulas/formulas';
import { escapeText } from './html';
import { findLinkifierMatches } from './patterns/linkifiers';
import { type Budget, openBudget } from './patterns/matcher';
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
    isTopicMention: rendering.isTopicMention,
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

/** The fast path: most messages have no markup, names or links, and need no parser. */
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

/**
 * Anything that a rule could match: markup characters, a full stop or colon inside a word, the start of a list or code
 * line, and the ranges of emoji.
 */
const MARKUP =
  // oxlint-disable-next-line no-control-regex -- the parser replaces NUL
  /\u200d|\u20e3|[\u0000\r\t*`~#>[@$|&\u203c\u2049\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\ud83c-\ud83e]|[.:](?![.\s]|$)|^(?: {4}| *(?:[-+_]|\d+\.))/m;

/** The text's paragraphs; undefined if it may contain markup. */
export function plainParagraphs(content: string): readonly string[] | undefined {
  if (MARKUP.test(content)) return undefined;
  const text = content.trim();
  if (text === '') return [];
  return text.includes('\n') ? text.split(/\n(?: *\n)+/).map((paragraph) => paragraph.trim()) : [text];
}

export const renderPlain = (paragraphs: readonly string[]): string =>
  paragraphs.map((paragraph) => `<p>${escapeText(paragraph).replaceAll('\n', '<br>\n')}</p>`).join('\n');
