/** Reads a request's body: JSON, urlencoded, multipart or CSV, each within its limit. Files are for routes that ask for them. */
import type { IncomingMessage } from 'node:http';
import querystring from 'node:querystring';
import type { Context, Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import { Cache } from '../cache';
import { Fault } from '../fault';
import { isTooDeep } from '../json-depth';
import { mayHoldHalves, parseWhole } from '../whole-text';
import { hasBody, readArrived, readPlainJson, textOf } from './arrived-body';
import type { IncomingFile } from '../upload-spool';
import { withInflated } from './inflated-body';
import { MOST_FIELDS, readMultipart, type FileWish } from './multipart';

export interface BodyLimits {
  readonly formLimitBytes: number;
  readonly jsonLimitBytes: number;
  readonly jsonDepthLimit: number;
}

export interface Body {
  readonly value: unknown;
  readonly files: readonly IncomingFile[];
}

/** Of a request that has none; and of every one before it has been read. */
export const NO_BODY: Body = { value: {}, files: [] };

/** As a reader is asked for it: at once where it can be. */
type Reading = Body | Promise<Body>;
export type BodyReader = (unread: Unread, wish?: FileWish) => Reading;

/** A request whose body nobody has read yet. */
export interface Unread {
  readonly request: IncomingMessage;
  /** For what is left to the library. */
  readonly context: Context;
}

export function bodyReader(limits: BodyLimits): BodyReader {
  const { formLimitBytes, jsonLimitBytes, jsonDepthLimit } = limits;
  const parse = bodyParser({
    enableTypes: ['json', 'form'],
    formLimit: String(formLimitBytes),
    jsonLimit: String(jsonLimitBytes),
    // Form fields are flat on both wires: `content[a]=` is a field of that name, not an object.
    qs: { parse: parseForm },
  } as bodyParser.Options);
  const kindOf = byType((ctx) => (ctx.is(FORM) ? 'form' : ctx.is('json') ? 'json' : 'other'));

  async function readUsual(unread: Unread, kind: 'form' | 'json'): Promise<Body> {
    const { request } = unread;
    const value =
      kind === 'form'
        ? await readArrived(request, formLimitBytes, (bytes) => parseForm(textOf(bytes)))
        : await readArrived(request, jsonLimitBytes, (bytes) => readPlainJson(textOf(bytes), jsonDepthLimit));
    return value === undefined ? readUnusual(unread.context) : { value, files: [] };
  }

  async function readUnusual(ctx: Context, wish?: FileWish): Promise<Body> {
    if (ctx.is('multipart/form-data')) {
      // zulip-js sends a form of no fields as no bytes at all.
      if (ctx.request.length === 0) return { value: {}, files: [] };
      await wish?.spool.prepare();
      const value = await readMultipart(ctx, formLimitBytes, wish);
      return { value, files: wish ? await wish.spool.files() : [] };
    }
    if (ctx.is('text/csv')) return { value: (await readBytes(ctx, jsonLimitBytes)).toString('utf8'), files: [] };
    await unpack(ctx, parse);
    if (!ctx.is('json')) return { value: ctx.request.body, files: [] };
    const json = rawBodyOf(ctx);
    if (isTooDeep(json, jsonDepthLimit)) throw tooDeep(jsonDepthLimit);
    return { value: mayHoldHalves(json) ? parseWhole(json) : ctx.request.body, files: [] };
  }

  return (unread, wish) => {
    if (!hasBody(unread.request)) return NO_BODY;
    const kind = kindOf(unread);
    return kind === 'other' ? readUnusual(unread.context, wish) : readUsual(unread, kind);
  };
}

/** The body as it came, whatever its type says: for signatures, and for senders who do not say what they send. */
export function rawBodyReader(limits: BodyLimits): (unread: Unread) => Promise<Body> {
  const parse = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: ['*/*'] },
    textLimit: String(limits.jsonLimitBytes),
  });
  const isType = byType((ctx) => Boolean(ctx.is('*/*')));

  return async (unread) => {
    const { request } = unread;
    if (!hasBody(request)) return { value: '', files: [] };
    request.headers['content-type'] ??= 'application/octet-stream';
    const value = isType(unread) ? await readArrived(request, limits.jsonLimitBytes, textOf) : undefined;
    if (value !== undefined) return { value, files: [] };
    const ctx = unread.context;
    await unpack(ctx, parse);
    return { value: typeof ctx.request.body === 'string' ? ctx.request.body : '', files: [] };
  };
}

const FORM = 'application/x-www-form-urlencoded';

const parseForm = (text: string) => querystring.parse(text, '&', '=', { maxKeys: MOST_FIELDS });

/** The longest that a client is known to send is that of a multipart form, of about 90 characters. */
const LONGEST_TYPE = 200;
const TYPES = { entries: 100, bytes: 128 * 1024 };

/** Clients have few types and send them again and again: what one means is read once. */
function byType<T>(read: (ctx: Context) => T): (unread: Unread) => T {
  const known = new Cache<string, { readonly value: T }>(TYPES);
  return (unread) => {
    const type = unread.request.headers['content-type'] ?? '';
    if (type.length > LONGEST_TYPE) return read(unread.context);
    let found = known.get(type);
    if (!found) known.set(type, (found = { value: read(unread.context) }));
    return found.value;
  };
}

export const tooDeep = (limit: number) =>
  new Fault('invalid', `JSON is nested more than ${limit} levels deep`, { code: 'BAD_REQUEST' });

/** What the parser refuses has a status; what has none is a body that is not compressed as its header says. */
export async function unpack(ctx: Context, parse: Middleware): Promise<void> {
  try {
    await withInflated(ctx, (plain) => parse(plain, () => Promise.resolve()));
  } catch (cause) {
    if (typeof (cause as { status?: unknown }).status === 'number') throw cause;
    throw new Fault('invalid', 'The body cannot be unpacked as its Content-Encoding says', {
      code: 'BAD_REQUEST',
      cause,
    });
  }
}

/** koa-bodyparser leaves the text here; its types say so of another Koa. */
function rawBodyOf(ctx: Context): string {
  return typeof ctx.request.rawBody === 'string' ? ctx.request.rawBody : '';
}

export async function readBytes(ctx: Context, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    size += chunk.length;
    // What is too much is read and dropped: a client that still sends would not read the refusal.
    if (size <= limit) chunks.push(chunk);
  }
  if (size > limit) throw new Fault('too-large', `The text is larger than ${limit} bytes`);
  return Buffer.concat(chunks);
}
