/** [text](url). The text is literal except for code. References and images are disabled. */
import type { MarkdownIt, StateInline } from 'markdown-it';
import { renderingOf, type Paragraph } from '../rendering';
import { paragraphOf } from '../blocks/paragraph';
import { isUpload, opensWindow, safeHref, titleOf } from './urls';

/** Adds a link if its URL is allowed. The text is literal. */
export function pushLink(state: StateInline, address: string, text: string): boolean {
  const rendering = renderingOf(state.env);
  const href = safeHref(address, rendering.context.publicUrl);
  if (href === undefined) return false;
  const open = state.push('link_open', 'a', 1);
  open.attrs = [['href', href]];
  if (opensWindow(href)) open.attrPush(['target', '_blank']);
  open.attrPush(['title', titleOf(href)]);
  open.meta = { text };
  for (const [index, part] of text.split(/`([^`\n]+)`/).entries()) {
    if (part !== '') state.push(index % 2 === 1 ? 'code_inline' : 'text', 'code', 0).content = part;
  }
  state.push('link_close', 'a', -1);
  rendering.hasLink = true;
  rendering.hasAttachment ||= isUpload(href);
  return true;
}

function readLink(state: StateInline): boolean {
  const { src, pos } = state;
  if (src[pos] !== '[' || src[pos - 1] === '!') return false;
  const closings = closingsOf(paragraphOf(state), src);
  const bracket = closings.get(pos);
  if (bracket === undefined || src[bracket + 1] !== '(') return false;
  const end = closings.get(bracket + 1);
  if (end === undefined) return false;
  const address = addressIn(src.slice(bracket + 2, end));
  const text = src.slice(pos + 1, bracket);
  if (!pushLink(state, address, text.trim() === '' ? address : text)) return false;
  state.pos = end + 1;
  return true;
}

/** `url`, `<url>` or `url "title"`; the title is not shown. */
function addressIn(inside: string): string {
  const address = inside
    .trim()
    .replace(/\s(?:"[^"]*"|'[^']*')$/, '')
    .trim();
  return address.startsWith('<') && address.endsWith('>') ? address.slice(1, -1) : address;
}

/** One pass over all brackets of a paragraph, so that thousands of them stay linear. */
function closingsOf(paragraph: Paragraph, text: string): ReadonlyMap<number, number> {
  if (paragraph.closings) return paragraph.closings;
  const closings = new Map<number, number>();
  let [brackets, parentheses]: [number[], number[]] = [[], []];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '[') brackets.push(index);
    else if (character === '(') parentheses.push(index);
    else if (character === ']' && brackets.length > 0) closings.set(brackets.pop()!, index);
    else if (character === ')' && parentheses.length > 0) closings.set(parentheses.pop()!, index);
    else if (character === '\n') [brackets, parentheses] = [[], []];
  }
  paragraph.closings = closings;
  return closings;
}

export function linksPlugin(md: MarkdownIt): void {
  md.inline.ruler.at('link', readLink);
}
