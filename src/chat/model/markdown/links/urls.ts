/** Which addresses may stand in a link, and how they are written there. */

/** From the real server. Anything else could start a program or run as a script. */
const SCHEMES = new Set(['http', 'https', 'ftp', 'mailto', 'file', 'bitcoin']);
const WITHOUT_HOST = new Set(['mailto', 'file', 'bitcoin']);

const UPLOAD = /^(?:https?:\/\/[^/]*)?\/user_uploads\/\d+(?:\/[^/]*)?\/[^/]*\/([^/]*)$/;
const IMAGE = /\.(?:bmp|gif|jpe?g|png|webp)$/i;

/** The address as a link may carry it, or undefined where it may not be one. */
export function safeHref(address: string, publicUrl: string): string | undefined {
  const url = address.trim();
  // oxlint-disable-next-line no-control-regex -- browsers drop these, so they could hide a scheme
  if (url === '' || /[\u0000-\u001f\u007f-\u009f]/.test(url)) return undefined;
  const written = url.replaceAll(' ', '%20').replaceAll('\\', '%5C');
  if (written.startsWith('#')) return written;
  if (written.startsWith('/')) return written.startsWith('//') ? undefined : written;
  const href = absolute(written);
  if (href === undefined) return undefined;
  return publicUrl !== '' && href.startsWith(`${publicUrl}/#narrow`) ? href.slice(publicUrl.length + 1) : href;
}

function absolute(url: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    if (/^[^@/?#]+@[^@/?#]+$/.test(url)) return `mailto:${url}`;
    return absolute(`http://${url}`);
  }
  if (!SCHEMES.has(scheme)) return undefined;
  const hasHost = /^[^:]+:\/\/[^/?#]/.test(url);
  return hasHost || WITHOUT_HOST.has(scheme) ? url : undefined;
}

/** An uploaded file goes by its name, everything else by its address. */
export const titleOf = (href: string): string => UPLOAD.exec(href)?.[1] ?? href;

export const isUpload = (href: string): boolean => /^(?:https?:\/\/[^/]*)?\/user_uploads\//.test(href);

/** With us, not at whatever other server. Half a character cannot be written into another address. */
export const isOwnUpload = (href: string): boolean => /^\/user_uploads\/[^\p{Cs}]+$/u.test(href);

export const isImage = (href: string): boolean => IMAGE.test(href.replace(/[?#].*$/s, ''));

/** Links inside the client and to mail programs need no window of their own. */
export const opensWindow = (href: string): boolean => !href.startsWith('#narrow') && !href.startsWith('mailto:');
