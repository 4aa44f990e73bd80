/** Second line of defence: passes only the tags and attributes that rendering produces. */
import { FilterXSS, type IFilterXSSOptions } from 'xss';
import { unescapeValue } from './html';
import { EMBED_STYLE } from './links/embeds';
import { safeHref } from './links/urls';

const WITHOUT_ATTRIBUTES = 'blockquote br code del em h1 h2 h3 h4 h5 h6 hr li p pre strong table tbody thead tr ul';

const ALLOWED: Record<string, string[]> = {
  ...Object.fromEntries(WITHOUT_ATTRIBUTES.split(' ').map((tag) => [tag, []])),
  a: ['class', 'data-stream-id', 'href', 'style', 'target', 'title'],
  div: ['class', 'aria-hidden'],
  audio: ['controls', 'preload', 'src', 'title'],
  img: ['alt', 'class', 'data-animated', 'data-original-dimensions', 'data-src-fullsize', 'src', 'title'],
  ol: ['start'],
  span: ['aria-label', 'class', 'data-user-group-id', 'data-user-id', 'role', 'title'],
  td: ['align'],
  th: ['align'],
  time: ['datetime'],
  video: ['preload', 'src'],
};

const PICTURES = new Set(['src', 'data-src-fullsize']);

/** Links must be allowed, pictures must be of this server, and the only style is the picture of a linked page. */
function isSafe(name: string, value: string): boolean {
  const text = unescapeValue(value);
  if (name === 'style') return EMBED_STYLE.test(text);
  if (PICTURES.has(name) && !text.startsWith('/')) return false;
  return (name !== 'href' && !PICTURES.has(name)) || safeHref(text, '') === text;
}

const options: IFilterXSSOptions = {
  whiteList: ALLOWED,
  css: false,
  // An empty string removes the attribute.
  onTagAttr: (_tag, name, value) => (isSafe(name, value) ? undefined : ''),
  safeAttrValue: (_tag, _name, value) => value.replace(/[<>"]/g, ''),
};

const filter = new FilterXSS(options);

export const sanitise = (html: string): string => filter.process(html);
