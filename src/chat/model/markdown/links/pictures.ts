/** Which links show a picture, its real URL (some lead to pages about pictures), and how it appears in HTML. */
import type { PictureFacts } from '../../../../kernel/files/picture-size';
import { linkedTokens } from '../../uploads/file';
import { escapeValue } from '../html';
import { isImage, isOwnUpload } from './urls';

export interface Picture {
  /** The target of a click. */
  readonly href: string;
  readonly source: string;
}

interface Address {
  readonly href: string;
  readonly origin: string;
  readonly host: string;
  readonly path: string;
}

const ADDRESS = /^(https?:\/\/([^/?#]+))(\/[^?#]*)/i;

/** Sites where a URL that looks like a picture may be a page. The first match decides. */
const SITES: readonly { readonly host: RegExp; readonly picture: (address: Address) => Picture | undefined }[] = [
  { host: /^(?:.+\.)?github\.com$/, picture: onGitHub },
  { host: /^(?!upload\.).+\.wiki[mp]edia\.org$/, picture: onWikipedia },
  { host: /^linx\.li$/, picture: ({ path }) => same(`https://linx.li/s${path}`) },
  { host: /^pasteboard\.co$/, picture: () => undefined },
];

export function pictureOf(href: string): Picture | undefined {
  if (!isImage(href)) return undefined;
  const match = ADDRESS.exec(href);
  if (!match) return same(href);
  const [, origin, host, path] = match as unknown as [string, string, string, string];
  const site = SITES.find((each) => each.host.test(host.toLowerCase()));
  if (site) return site.picture({ href, origin, host, path });
  return { href, source: path.includes('/-/blob/') ? `${origin}${path.replace('/-/blob/', '/-/raw/')}` : href };
}

const same = (href: string): Picture => ({ href, source: href });

/** /owner/repository/blob/branch/file is a page; the file itself is on another host. */
function onGitHub({ href, path }: Address): Picture | undefined {
  const [, owner, repository, kind, ...rest] = path.split('/');
  if (kind === 'blob')
    return { href, source: `https://raw.githubusercontent.com/${owner}/${repository}/${rest.join('/')}` };
  return ['blame', 'commits', 'edit', 'tree'].includes(kind ?? '') ? undefined : same(href);
}

/** /wiki/File:name, in any language. */
function onWikipedia({ origin, path }: Address): Picture | undefined {
  const [, file] = /^\/wiki\/([^/:]+:.+)$/.exec(path) ?? [];
  return file === undefined ? undefined : same(`${origin}/wiki/Special:FilePath/${file}`);
}

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

/**
 * Always from this server, because a picture loaded from another one would tell that server
 * who reads the message, when, and from which network address.
 */
export const imageOf = (source: string, facts?: PictureFacts): string =>
  `<img data-src-fullsize="${escapeValue(shownAt(source, 'full'))}" src="${escapeValue(shownAt(source, 'thumbnail'))}"${factsOf(facts)}>`;

/** As today's Zulip writes them; clients of 2.1 pass over them. */
const factsOf = (facts: PictureFacts | undefined): string =>
  facts === undefined
    ? ''
    : ` data-original-dimensions="${facts.width}x${facts.height}"${facts.isAnimated ? ' data-animated="true"' : ''}`;

/** What is known of an uploaded picture. */
export const factsFor = (
  pictures: ReadonlyMap<string, PictureFacts> | undefined,
  source: string,
): PictureFacts | undefined => pictures?.get(linkedTokens(source)[0] ?? '');
