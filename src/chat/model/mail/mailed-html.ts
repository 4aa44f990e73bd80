/**
 * A message's rendered content as mail shows it: addresses are whole, and what a mail cannot load or open is written
 * out. Pictures are links, because they need a session.
 */
import { FilterXSS } from 'xss';
import { replaceElements, replaceSpoilers } from '../markdown/elements';
import { FORMULA, texOf } from '../markdown/formulas/drawn-formulas';
import { escapeText } from '../markdown/html';
import { timeIn } from '../markdown/spans/times';

const PLAIN = 'blockquote br code del em h1 h2 h3 h4 h5 h6 hr li p pre strong table tbody td th thead time tr ul';

const filterFor = (url: string) =>
  new FilterXSS({
    whiteList: { ...Object.fromEntries(PLAIN.split(' ').map((tag) => [tag, []])), a: ['href'], ol: ['start'] },
    css: false,
    stripIgnoreTag: true,
    safeAttrValue: (_tag, name, value) =>
      `${name === 'href' && value.startsWith('/') ? url : ''}${value}`.replaceAll(/[<>"]/g, ''),
  });

export interface Surroundings {
  /** The organisation's. */
  readonly url: string;
  /** Stands for what is hidden until somebody opens it. */
  readonly spoiler: string;
  readonly timeOf: (date: Date) => string;
}

export function mailedHtml(rendered: string, { url, spoiler, timeOf }: Surroundings): string {
  let html = replaceElements(rendered, FORMULA, (drawing) => `<code>${texOf(drawing)}</code>`);
  html = replaceSpoilers(html, `<p>${escapeText(spoiler)}</p>`);
  html = replaceElements(html, '<div class="message_embed"', () => '');
  html = replaceElements(html, '<div class="message_inline_image', linkOf);
  html = html.replaceAll(TIME, (whole, written: string) => {
    const time = timeIn(written);
    return time === undefined ? whole : escapeText(timeOf(new Date(time)));
  });
  html = html.replaceAll(EMOJI, (_, code: string) => emojiOf(code)).replaceAll(OWN_EMOJI, '$1');
  return filterFor(url).process(html);
}

const LINK = /<a href="([^"]*)"[^>]*?(?: title="([^"]*)")?>/;

/** Clients show the picture in place of its link, or below it. */
function linkOf(preview: string): string {
  const [, href = '', title] = LINK.exec(preview) ?? [];
  return `<p><a href="${href}">${title || href}</a></p>`;
}

const TIME = /<time datetime="([^"]+)">[^<]*<\/time>/g;
const EMOJI = /<span [^>]*class="emoji emoji-([0-9a-f-]+)"[^>]*>:[^<]*:<\/span>/g;
const OWN_EMOJI = /<img alt="([^"]*)" class="emoji"[^>]*>/g;

const emojiOf = (code: string): string =>
  String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)));

const SPOILER = /^([`~]{3,})[ \t]*spoiler\b[ \t]*(.*)\n[\s\S]*?^\1[ \t]*$/gm;

const WRITTEN_TIME = /<time:([^>\n]{1,100})>/g;

/** The Markdown of a message, which mail has as its plain text. */
export const mailedText = (content: string, { spoiler, timeOf }: Omit<Surroundings, 'url'>): string =>
  content
    .replaceAll(SPOILER, (_, _fence, title: string) => `${title}\n${spoiler}`.trim())
    .replaceAll(WRITTEN_TIME, (whole, written: string) => {
      const time = timeIn(written);
      return time === undefined ? whole : timeOf(new Date(time));
    });
