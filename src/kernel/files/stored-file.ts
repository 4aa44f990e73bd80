/** Uploaded files: safe names, which files a browser may show, and the chunks that they are stored in. */
import type { Readable } from 'node:stream';

/** A file as it arrives. */
export interface FileDraft {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  open(): Readable;
}

const MAX_NAME_LENGTH = 100;

/** A name that is safe in a path, a header and a link. */
export function safeName(written: string): string {
  const cleaned = written
    .replace(/^.*[/\\]/s, '')
    .replace(/[^\p{L}\p{N}_\s.-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-');
  const name = Array.from(cleaned).slice(-MAX_NAME_LENGTH).join('');
  return /^\.*$/.test(name) ? 'file' : name;
}

/** Sound and film by the end of the name, for uploaders that do not know what they send. */
const MEDIA: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
};
const MEDIA_TYPES = new Set(Object.values(MEDIA));

/** Images that carry no program. Browsers display them, sound, film and some PDFs; all other files they save. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp']);

const ANY_TYPE = 'application/octet-stream';

export function safeType(written: string, name = ''): string {
  const type = written.split(';')[0]!.trim().toLowerCase();
  const isKnown = /^[\w.+-]{1,40}\/[\w.+-]{1,59}$/.test(type) && type !== ANY_TYPE;
  // The names of a few sounds differ between systems.
  const media = MEDIA[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''];
  return isKnown && !(media !== undefined && /^(?:audio|video)\//.test(type)) ? type : (media ?? ANY_TYPE);
}

const PDF = 'application/pdf';
const POLICY = "default-src 'none'; sandbox";
/** Browsers' PDF viewers add elements of their own to the page, and refuse to work in a sandbox. */
const PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";
/** Nor do their players: they ask for further parts of the file, with the cookie. No script runs in sound or film. */
const MEDIA_POLICY = "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

interface StoredFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/**
 * Response headers of a stored file, so that nothing in it runs in our origin. If PDFs are shown, the browser's viewer
 * gets them; scripts in a PDF cannot reach the page's origin.
 */
export function fileHeaders({ name, type, size }: StoredFile, { showsPdf = false } = {}) {
  const isPdf = showsPdf && type === PDF;
  const isMedia = MEDIA_TYPES.has(type);
  const isShown = isPdf || isMedia || SHOWN.has(type);
  const policy = isPdf ? PDF_POLICY : POLICY;
  return {
    type: isShown ? type : ANY_TYPE,
    headers: {
      'Content-Length': String(size),
      'Content-Disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name)}`,
      'Content-Security-Policy': isMedia ? MEDIA_POLICY : policy,
      'X-Content-Type-Options': 'nosniff',
    },
  };
}

/** First bytes in hexadecimal; a dot matches any digit. */
const PICTURES: readonly { readonly extension: string; readonly begins: RegExp }[] = [
  { extension: 'png', begins: /^89504e470d0a1a0a/ },
  { extension: 'gif', begins: /^474946383[79]61/ },
  { extension: 'jpg', begins: /^ffd8ff/ },
  { extension: 'webp', begins: /^52494646.{8}57454250/ },
];

/** Decided by the first bytes, not by the uploader's name for it. */
export function pictureExtension(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 16).toString('hex');
  return PICTURES.find(({ begins }) => begins.test(start))?.extension;
}

export const pictureType = (extension: string): string => `image/${extension === 'jpg' ? 'jpeg' : extension}`;

/** Well below MySQL's packet limit. */
export const CHUNK_BYTES = 1024 * 1024;

/** Regroups a stream of arbitrary pieces into chunks of that size. */
export async function* inChunks(stream: Readable): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size < CHUNK_BYTES) continue;
    const whole = Buffer.concat(parts);
    yield whole.subarray(0, CHUNK_BYTES);
    parts = [whole.subarray(CHUNK_BYTES)];
    size = whole.length - CHUNK_BYTES;
  }
  if (size > 0) yield Buffer.concat(parts);
}
