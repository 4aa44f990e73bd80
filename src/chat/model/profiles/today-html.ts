/** Rendered text for today's clients, which read it element by element. */
import { pictureType } from '../../../kernel/files/stored-file';

const OPENING = '<div class=';
const CODE = /<pre><span><\/span>(?!<code>)([\s\S]*?)<\/pre>/g;
/** Of an upload. Quotes are escaped where the text is inside JSON. */
const PICTURE =
  /( src=(\\?")\/thumbnail\?url=user_uploads[^"\\]*?\.(png|jpe?g|gif|webp|bmp)&amp;size=\w+\2)( data-original-dimensions=)/gi;

/**
 * The text of a code block has an element of its own since Zulip 4.0, and pictures tell their type since 9.0. Nothing here
 * has to be escaped in JSON but the quotes that are taken from the text.
 */
export const todayHtml = (html: string): string =>
  html.includes(OPENING)
    ? html.replaceAll(CODE, '<pre><span></span><code>$1</code></pre>').replaceAll(PICTURE, withType)
    : html;

function withType(...[, source, quote, extension, rest]: string[]): string {
  const type = pictureType(extension!.toLowerCase().replace('jpeg', 'jpg'));
  return `${source} data-original-content-type=${quote}${type}${quote}${rest}`;
}
