/** Shows linked images below their paragraph, and linked pages below the message. */
import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import type { PictureFacts } from '../../../../kernel/files/picture-size';
import { embedOf, isPage } from './embeds';
import { escapeValue } from '../html';
import { renderingOf, type Rendering } from '../rendering';
import { playerOf } from './players';
import { factsFor, imageOf, type Picture, pictureOf } from './pictures';
import { opensWindow, titleOf } from './urls';

/** Zulip's limit: a message with more distinct links shows no images. */
const MAX_PREVIEWABLE = 5;

interface FoundLink {
  /** The inline token that contains the link. */
  readonly holder: number;
  readonly href: string;
  readonly text: string;
  /** Directly in its paragraph, not in bold text or the like. */
  readonly isDirect: boolean;
  readonly isAlone: boolean;
}

function addPreviews(state: StateCore): void {
  const rendering = renderingOf(state.env);
  if (!rendering.hasLink || !rendering.isMessage) return;
  const links = findLinks(state.tokens);
  if (new Set(links.map(({ href }) => href)).size > MAX_PREVIEWABLE) return;
  const shown = new Set<string>();
  const additions = new Map<number, Token[]>();
  for (const link of links) {
    if (shown.has(link.href)) continue;
    shown.add(link.href);
    const found = previewFor(state, link, rendering);
    if (!found) continue;
    const preview = new state.Token('preview', '', 0);
    preview.content = found.html;
    additions.set(found.after, [...(additions.get(found.after) ?? []), preview]);
  }
  if (additions.size > 0)
    state.tokens = state.tokens.flatMap((token, index) => [token, ...(additions.get(index) ?? [])]);
}

interface Preview {
  /** The token after which it goes. */
  readonly after: number;
  readonly html: string;
}

function previewFor(state: StateCore, link: FoundLink, rendering: Rendering): Preview | undefined {
  const { context } = rendering;
  const picture = pictureOf(link.href);
  const title = link.text === link.href ? titleOf((picture ?? link).href) : link.text;
  if (picture) {
    rendering.hasImage = true;
    return { after: placeOf(state, link), html: previewOf(picture, title, factsFor(context.pictures, picture.source)) };
  }
  const player = playerOf(link.href, title);
  if (player !== undefined) return { after: placeBelow(state, link), html: player };
  if (!isPage(link.href, context.publicUrl)) return undefined;
  rendering.pages.push(link.href);
  const page = context.previews?.get(link.href);
  return page && { after: state.tokens.length - 1, html: embedOf(link.href, page) };
}

/** Links in quotes do not count: the quoted message has shown them. */
function findLinks(tokens: readonly Token[]): FoundLink[] {
  const links: FoundLink[] = [];
  let quotes = 0;
  for (const [holder, { type, children }] of tokens.entries()) {
    if (type === 'blockquote_open') quotes += 1;
    if (type === 'blockquote_close') quotes -= 1;
    if (quotes > 0 || !children) continue;
    for (const [index, token] of children.entries()) {
      if (token.type !== 'link_open') continue;
      const text = String(token.meta?.['text']);
      const isAlone = index === 0 && children.at(-1)?.type === 'link_close' && linksIn(children) === 1;
      links.push({ holder, href: String(token.attrGet('href')), text, isDirect: token.level === 0, isAlone });
    }
  }
  return links;
}

const linksIn = (children: readonly Token[]): number => children.filter(({ type }) => type === 'link_open').length;

const paragraphOf = (tokens: readonly Token[], { holder, isDirect }: FoundLink): Token | undefined =>
  isDirect && tokens[holder - 1]?.type === 'paragraph_open' ? tokens[holder - 1] : undefined;

/** The token after which the preview goes. */
function placeBelow({ tokens }: StateCore, link: FoundLink): number {
  const paragraph = paragraphOf(tokens, link);
  if (paragraph?.hidden) return endOfItem(tokens, link.holder) - 1;
  return paragraph ? link.holder + 1 : tokens.length - 1;
}

/** The same for a picture, which replaces a link that is alone in its paragraph. */
function placeOf(state: StateCore, link: FoundLink): number {
  const after = placeBelow(state, link);
  const { tokens } = state;
  const paragraph = paragraphOf(tokens, link);
  if (paragraph && link.isAlone && link.text === link.href) {
    tokens[link.holder]!.children = [];
    [paragraph.hidden, tokens[link.holder + 1]!.hidden] = [true, true];
  }
  return after;
}

function endOfItem(tokens: readonly Token[], from: number): number {
  const level = tokens[from]!.level - 2;
  let index = from;
  while (index < tokens.length && !(tokens[index]!.type === 'list_item_close' && tokens[index]!.level === level))
    index += 1;
  return index;
}

function previewOf({ href, source }: Picture, title: string, facts: PictureFacts | undefined): string {
  const url = escapeValue(href);
  const target = opensWindow(href) ? ' target="_blank"' : '';
  return `<div class="message_inline_image"><a href="${url}"${target} title="${escapeValue(title)}">${imageOf(source, facts)}</a></div>`;
}

export function previewsPlugin(md: MarkdownIt): void {
  md.core.ruler.push('previews', addPreviews);
  md.renderer.rules['preview'] = (tokens, index) => tokens[index]!.content;
}
