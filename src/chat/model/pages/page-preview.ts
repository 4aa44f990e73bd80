/** Extracts a page's preview: from Open Graph tags, or else its title, description and first heading. */
import MarkdownIt from 'markdown-it';
import type { LinkPreview } from '../markdown/context';
import { type Piece, piecesOf } from './tags';

const MAX_LENGTH = { title: 200, description: 500, image: 1000 } as const;

/** Elements whose text may be shown. Longer headings and paragraphs are cut. */
const READ = new Set(['title', 'h1', 'p']);
const MAX_TEXT = 2000;

interface Found {
  readonly meta: Map<string, string>;
  readonly texts: Map<string, string>;
  /** The first picture after the first heading. */
  picture: string | undefined;
}

/** Undefined without a picture: as in Zulip, such a page gets no preview. */
export function pagePreview(html: string, url: string): LinkPreview | undefined {
  const { meta, texts, picture } = find(html);
  const image = addressOf(meta.get('og:image') ?? picture, url);
  if (image === undefined) return undefined;
  const title = meta.get('og:title') ?? texts.get('title') ?? texts.get('h1');
  const description =
    meta.get('og:description') ?? meta.get('description') ?? texts.get('p after h1') ?? texts.get('p');
  return { image, title: cut(title, MAX_LENGTH.title), description: cut(description, MAX_LENGTH.description) };
}

function find(html: string): Found {
  const found: Found = { meta: new Map(), texts: new Map(), picture: undefined };
  let reading: { readonly name: string; text: string } | undefined;
  const finish = () => {
    if (reading) keep(found, reading.name, reading.text);
    reading = undefined;
  };
  for (const piece of piecesOf(html)) {
    if (piece.kind === 'text') {
      if (reading && reading.text.length < MAX_TEXT) reading.text += piece.text;
      continue;
    }
    if (piece.kind === 'start') lookAt(piece, found);
    // Nested tags, such as links and emphasis, do not end the element.
    if (!READ.has(piece.name)) continue;
    finish();
    if (piece.kind === 'start') reading = { name: piece.name, text: '' };
  }
  finish();
  return found;
}

/** The first non-empty text of each kind counts. */
function keep({ texts }: Found, name: string, written: string): void {
  const text = plain(written);
  if (text === '') return;
  if (!texts.has(name)) texts.set(name, text);
  if (name === 'p' && texts.has('h1') && !texts.has('p after h1')) texts.set('p after h1', text);
}

function lookAt({ name, attributes }: Extract<Piece, { kind: 'start' }>, found: Found): void {
  const valueOf = (key: string) => attributes.get(key)?.trim() ?? '';
  if (name === 'meta') {
    const key = (valueOf('property') || valueOf('name')).toLowerCase();
    const value = plain(valueOf('content'));
    if (value !== '' && !found.meta.has(key)) found.meta.set(key, value);
  }
  if (name === 'img' && found.texts.has('h1')) found.picture ??= plain(valueOf('src')) || undefined;
}

/** Decodes HTML entities. It also interprets backslashes, which mean nothing in HTML, so they are escaped. */
const { unescapeAll } = new MarkdownIt().utils;
const plain = (written: string): string =>
  unescapeAll(written.slice(0, MAX_TEXT).replaceAll('\\', '\\\\'))
    .replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .trim();

/** An http or https URL of a picture that is safe inside a style: nothing in it can end the value. */
function addressOf(written: string | undefined, page: string): string | undefined {
  if (written === undefined || !URL.canParse(written, page)) return undefined;
  const { protocol, href } = new URL(written, page);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const safe = href.replaceAll(/[\s()'"\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return safe.length <= MAX_LENGTH.image ? safe : undefined;
}

function cut(text: string | undefined, most: number): string | null {
  if (text === undefined) return null;
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

const HTML_TYPES = new Set(['text/html', 'application/xhtml+xml']);
/** A page declares its encoding within this many bytes. */
const FIRST_BYTES = 1024;

/** Decodes a fetched page to text; undefined if it is not HTML. */
export function decodePage(contentType: string | undefined, body: Buffer): string | undefined {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const start = body.subarray(0, FIRST_BYTES).toString('latin1');
  // Some servers send no content type. Content declared as HTML is checked too.
  if (type.trim() !== '' && !HTML_TYPES.has(type.trim())) return undefined;
  if (!/^(?:\xef\xbb\xbf)?\s*</.test(start)) return undefined;
  const named =
    /charset\s*=\s*["']?([\w-]+)/.exec(parameters.join(';')) ??
    /<meta[^>]{1,200}charset\s*=\s*["']?([\w-]+)/i.exec(start);
  return decoderOf(named?.[1]).decode(body);
}

function decoderOf(label = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
