/** Renders previews of linked pages below the message. */
import type { LinkPreview } from '../context';
import { escapeText, escapeValue } from '../html';

/** Whether a link may lead to a page on another server. */
export const isPage = (href: string, publicUrl: string): boolean =>
  /^https?:\/\//i.test(href) && (publicUrl === '' || (href !== publicUrl && !href.startsWith(`${publicUrl}/`)));

/** The only style that a message may contain outside formulas. `externalPath` produces addresses of this shape. */
export const EMBED_STYLE = /^background-image: url\(\/external_content\/[0-9a-f]+\/[0-9a-f]+\)$/;

/** As in Zulip, a page without a picture gets no preview. */
export function embedOf(href: string, { image, title, description }: LinkPreview): string {
  const style = `background-image: url(${image})`;
  if (!EMBED_STYLE.test(style)) return '';
  const link = `href="${escapeValue(href)}"`;
  const picture = `<a class="message_embed_image" ${link} style="${style}" target="_blank"></a>`;
  const heading =
    title === null
      ? ''
      : `<div class="message_embed_title"><a ${link} target="_blank" title="${escapeValue(title)}">${escapeText(title)}</a></div>`;
  const text = description === null ? '' : `<div class="message_embed_description">${escapeText(description)}</div>`;
  return `<div class="message_embed">${picture}<div class="data-container">${heading}${text}</div></div>`;
}
