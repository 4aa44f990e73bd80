/** Reads a request body within its limit: JSON, urlencoded, multipart or CSV. Files only for routes that take them. */
import { isUtf8 } from 'node:buffer';
import querystring from 'node:querystring';
import type { Context, Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import { Fault } from '../fault';
import { isTooDeep } from '../text/json-depth';
import { readBytes } from './body-bytes';
import type { IncomingFile } from '../files/upload-spool';
import type { HttpSettings } from '../settings';
import { mayHoldLoneSurrogates, parseStrictJson } from '../text/strict-json';
import { hasBody } from './incoming';
import { withInflated } from './inflated-body';
import { MAX_FIELDS, readMultipart, tooManyFields, type FileWish } from './multipart';
import type { RouteFacts } from './route';

export type BodyLimits = Pick<HttpSettings, 'formLimitBytes' | 'jsonLimitBytes' | 'jsonDepthLimit'>;

interface Body {
  readonly value: unknown;
  readonly files: readonly IncomingFile[];
  /** Set for a raw body. */
  readonly bytes?: Buffer;
}

export type BodyReader = (ctx: Context, wish?: FileWish) => Body | Promise<Body>;

const NO_BODY: Body = { value: {}, files: [] };
/** Calls of strangers are not rate-limited, so their bodies must be cheap to read. A login is smaller than this. */
const STRANGERS_BYTES = 16 * 1024;

/** Makes the body reader of a route. The wire format decides whether broken text is refused or repaired. */
export function openBodyReaders(limits: BodyLimits): (route: RouteFacts, refusesBrokenText: boolean) => BodyReader {
  const strangers: BodyLimits = {
    formLimitBytes: Math.min(limits.formLimitBytes, STRANGERS_BYTES),
    jsonLimitBytes: Math.min(limits.jsonLimitBytes, STRANGERS_BYTES),
    jsonDepthLimit: limits.jsonDepthLimit,
  };
  const readRaw = rawBodyReader(limits);
  return (route, refusesBrokenText) =>
    route.rawBody ? readRaw : bodyReader(route.authenticated ? limits : strangers, refusesBrokenText);
}

export const JSON_TYPE = /^\s*application\/([\w.-]+\+)?json\b/i;
const PLAIN_JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;
const CSV_TYPE = /^\s*text\/csv\b/i;

function bodyReader({ formLimitBytes, jsonLimitBytes, jsonDepthLimit }: BodyLimits, isStrict: boolean): BodyReader {
  const parse = bodyParser({
    jsonLimit: String(jsonLimitBytes),
    ...(isStrict ? { detectJSON: (ctx: Context) => JSON_TYPE.test(ctx.get('content-type')) } : {}),
    enableTypes: ['json'],
  });

  async function readForm(ctx: Context, wish?: FileWish): Promise<Body> {
    // zulip-js sends a form without fields as no bytes at all.
    if (ctx.request.length === 0) return NO_BODY;
    await wish?.spool.prepare();
    const value = await readMultipart(ctx, formLimitBytes, wish);
    return { value, files: wish ? await wish.spool.files() : [] };
  }

  /** Refuses invalid UTF-8. Lone surrogates stay, so that the wire format can report where they are. */
  async function readStrictJson(ctx: Context): Promise<unknown> {
    const { bytes, trouble } = await parseAndListen(ctx, parse);
    if (trouble !== undefined && !(trouble instanceof SyntaxError)) throw trouble;
    const json = strictText(bytes);
    if (isTooDeep(json, jsonDepthLimit)) throw tooDeep(jsonDepthLimit);
    if (trouble !== undefined) throw wrongShape(json) ?? trouble;
    return ctx.request.body;
  }

  /** Replaces invalid UTF-8 and lone surrogates by replacement characters. */
  async function readMended(ctx: Context): Promise<unknown> {
    const type = ctx.get('content-type');
    await parseWith(ctx, parse);
    if (!PLAIN_JSON_TYPE.test(type)) return ctx.request.body;
    const { rawBody } = ctx.request;
    const json = typeof rawBody === 'string' ? rawBody : '';
    if (isTooDeep(json, jsonDepthLimit)) throw tooDeep(jsonDepthLimit);
    return mayHoldLoneSurrogates(json) ? parseStrictJson(json) : ctx.request.body;
  }

  return async (ctx, wish) => {
    if (!hasBody(ctx.req)) return NO_BODY;
    const type = ctx.get('content-type');
    if (FORM_TYPE.test(type)) return { value: parseFields(textOf(await bytesOf(ctx, formLimitBytes))), files: [] };
    if (/multipart/i.test(type) && ctx.is('multipart/form-data')) return readForm(ctx, wish);
    if (CSV_TYPE.test(type)) {
      const bytes = await bytesOf(ctx, jsonLimitBytes);
      return { value: isStrict ? strictText(bytes) : textOf(bytes), files: [] };
    }
    const read = isStrict && JSON_TYPE.test(type) ? readStrictJson : readMended;
    return { value: await read(ctx), files: [] };
  };
}

/** The body as it came, as text and bytes, whatever its type: for signatures, and for senders that name no type. */
const rawBodyReader =
  ({ jsonLimitBytes }: BodyLimits): BodyReader =>
  async (ctx) => {
    if (!hasBody(ctx.req)) return { value: '', files: [] };
    const bytes = await bytesOf(ctx, jsonLimitBytes);
    return { value: textOf(bytes), files: [], bytes };
  };

/**
 * Fields are flat in both wire formats: `content[a]=` is a field of that name, not an object. Refuses what the library
 * would drop without a word. Most forms are shorter than so many separators.
 */
function parseFields(text: string): querystring.ParsedUrlQuery {
  if (text.length >= MAX_FIELDS && text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw tooManyFields();
  return querystring.parse(text, '&', '=', { maxKeys: MAX_FIELDS });
}

/** Parses, and keeps the bytes that the parser read: its text no longer shows which of them were invalid UTF-8. */
async function parseAndListen(ctx: Context, parse: Middleware): Promise<{ bytes: Buffer; trouble?: unknown }> {
  const chunks: Buffer[] = [];
  const keep = (chunk: Buffer) => void chunks.push(chunk);
  const listening: Middleware = async (plain, next) => {
    const { req: stream } = plain;
    stream.on('data', keep);
    try {
      await parse(plain, next);
    } finally {
      stream.off('data', keep);
    }
  };
  try {
    await parseWith(ctx, listening);
    return { bytes: Buffer.concat(chunks) };
  } catch (trouble) {
    return { bytes: Buffer.concat(chunks), trouble };
  }
}

function strictText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Fault('invalid', 'The body is not valid UTF-8', { code: 'BAD_REQUEST' });
  return textOf(bytes);
}

/** Without a byte order mark. Invalid UTF-8 becomes replacement characters. */
function textOf(bytes: Buffer): string {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', isMarked ? 3 : 0);
}

const tooDeep = (limit: number) =>
  new Fault('invalid', `JSON is nested more than ${limit} levels deep`, { code: 'BAD_REQUEST' });

/** The fault in valid JSON that the parser refuses. Undefined if the JSON is invalid. */
function wrongShape(json: string): Fault | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null;
    const message = `The body must be a JSON object${isObject ? ' without a field named __proto__' : ''}`;
    return new Fault('invalid', message, { code: 'BAD_REQUEST' });
  } catch {
    return undefined;
  }
}

const bytesOf = (ctx: Context, limitBytes: number): Promise<Buffer> =>
  withInflated(ctx, ({ req }) => readBytes(req, limitBytes));

const parseWith = (ctx: Context, parse: Middleware): Promise<void> =>
  withInflated(ctx, (plain) => Promise.resolve(parse(plain, () => Promise.resolve())));
