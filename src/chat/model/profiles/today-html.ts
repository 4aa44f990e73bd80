/** Rendered text for today's clients, which read it element by element. */
import { pictureType } from '../../../kernel/files/stored-file';
import { withLanguages } from './code-languages';
import { USUAL_FORMAT } from '../uploads/picture-recipes';

const OPENING = '<div class=';
const CODE = /<pre><span><\/span>(?!<code>)([\s\S]*?)<\/pre>/g;
/** Of an upload. Quotes are escaped where the text is inside JSON. */
const PICTURE =
  / src=(\\?")\/thumbnail\?url=user_uploads([^"\\]*?\.(png|jpe?g|gif|webp|bmp))&amp;size=\w+\1( data-original-dimensions=\\?"\w+\\?")( data-animated=)?/gi;

/**
 * The text of a code block has an element of its own since Zulip 4.0, as the block a language. Pictures tell their type since 9.0, and are shown by
 * copies of which clients choose one; animations have none. Nothing here has to be escaped in JSON but the quotes that are
 * taken from the text.
 */
export const todayHtml = (html: string, source: () => string): string =>
  html.includes(OPENING)
    ? withLanguages(html, source)
        .replaceAll(CODE, '<pre><span></span><code>$1</code></pre>')
        .replaceAll(PICTURE, withType)
    : html;

function withType(...[all, quote, path, extension, dimensions, animated]: (string | undefined)[]): string {
  const type = pictureType(extension!.toLowerCase().replace('jpeg', 'jpg'));
  const about = ` data-original-content-type=${quote}${type}${quote}${dimensions}`;
  const copied = animated === undefined ? copyOf(path!) : undefined;
  const source = copied === undefined ? all!.slice(0, all!.indexOf(dimensions!)) : ` src=${quote}${copied}${quote}`;
  return `${source}${about}${animated ?? ''}`;
}

/** Of the encoded path only what encodes the path of an upload is decoded, so that nothing in it ends the address. */
function copyOf(path: string): string | undefined {
  const decoded = path.replaceAll('%2F', '/').replaceAll('%25', '%');
  return /^\/\d+(?:\/[^/]+){3}$/.test(decoded) ? `/user_uploads/thumbnail${decoded}/${USUAL_FORMAT}` : undefined;
}
