/**
 * How pictures appear in HTML: always from this server, because a picture loaded from another one would tell that server
 * who reads the message, when, and from which network address.
 */
import { escapeValue } from '../html';
import { isOwnUpload } from './urls';

type Size = 'full' | 'thumbnail';

/** Zulip's address of a picture: uploads without their leading slash, pictures of other servers with the whole URL. */
const thumbnailOf = (source: string, size: Size): string =>
  `/thumbnail?url=${encoded(source.replace(/^\/+/, ''))}&size=${size}`;

/** As Python's `quote` encodes it: nothing in it ends a style. A lone surrogate cannot be encoded. */
const encoded = (text: string): string =>
  encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\ufffd')).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Other pictures of this server are public and need no thumbnail. */
const shownAt = (source: string, size: Size): string =>
  source.startsWith('/') && !isOwnUpload(source) ? source : thumbnailOf(source, size);

export const imageOf = (source: string): string =>
  `<img data-src-fullsize="${escapeValue(shownAt(source, 'full'))}" src="${escapeValue(shownAt(source, 'thumbnail'))}">`;
