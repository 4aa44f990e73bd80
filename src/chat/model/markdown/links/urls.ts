/** Which URLs a link may have, and how they are written. */

/** Zulip's list. Other schemes could start a program or run a script. */
const SCHEMES = new Set(['http', 'https', 'ftp', 'mailto', 'file', 'bitcoin']);
const WITHOUT_HOST = new Set(['mailto', 'file', 'bitcoin']);

const UPLOAD = /^(?:https?:\/\/[^/]*)?\/user_uploads\/\d+(?:\/[^/]*)?\/[^/]*\/([^/]*)$/;
const IMAGE = /\.(?:bmp|gif|jpe?g|png|webp)$/i;
const VIDEO = /\.(?:mp4|m4v|webm|ogv|mov)$/i;
const AUDIO = /\.(?:mp3|m4a|aac|oga|ogg|opus|wav|flac)$/i;

/** The URL in the form that a link may carry; undefined if it is not allowed. */
export function safeHref(address: string, publicUrl: string): string | undefined {
  const url = address.trim();
  // oxlint-disable-next-line no-control-regex -- browsers drop these characters, so they could hide a scheme
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

/** An uploaded file's name; for other links the URL. */
export const titleOf = (href: string): string => UPLOAD.exec(href)?.[1] ?? href;

export const isUpload = (href: string): boolean => /^(?:https?:\/\/[^/]*)?\/user_uploads\//.test(href);

/** An upload on this server, not on another one. A lone surrogate cannot be encoded in a URL. */
export const isOwnUpload = (href: string): boolean => /^\/user_uploads\/[^\p{Cs}]+$/u.test(href);

export const isVideo = (href: string): boolean => VIDEO.test(href);
export const isAudio = (href: string): boolean => AUDIO.test(href);

export const isImage = (href: string): boolean => IMAGE.test(href.replace(/[?#].*$/s, ''));

/** Links inside the client and mailto links open no new window. */
export const opensWindow = (href: string): boolean => !href.startsWith('#narrow') && !href.startsWith('mailto:');
