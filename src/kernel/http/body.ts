/** Reads a request's body: JSON, urlencoded or multipart, each within its limit. Files are for routes that ask for them. */
import querystring from 'node:querystring';
import busboy from 'busboy';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { Fault } from '../fault';
import { isTooDeep } from './json-depth';

export interface BodyLimits {
  readonly formLimitBytes: number;
  readonly jsonLimitBytes: number;
  readonly jsonDepthLimit: number;
}

const MOST_FIELDS = 1000;

export function bodyReader(limits: BodyLimits): (ctx: Context) => Promise<unknown> {
  const parse = bodyParser({
    enableTypes: ['json', 'form'],
    formLimit: String(limits.formLimitBytes),
    jsonLimit: String(limits.jsonLimitBytes),
    // Form fields are flat on both wires: `content[a]=` is a field of that name, not an object.
    qs: { parse: (body: string) => querystring.parse(body, '&', '=', { maxKeys: MOST_FIELDS }) },
  } as bodyParser.Options);

  return async (ctx) => {
    if (ctx.is('multipart/form-data')) return readMultipart(ctx, limits.formLimitBytes);
    await parse(ctx, () => Promise.resolve());
    if (ctx.is('json') && isTooDeep(rawBodyOf(ctx), limits.jsonDepthLimit)) {
      throw new Fault('invalid', `JSON is nested more than ${limits.jsonDepthLimit} levels deep`, {
        code: 'BAD_REQUEST',
      });
    }
    return ctx.request.body;
  };
}

/** koa-bodyparser leaves the text here; its types say so of another Koa. */
function rawBodyOf(ctx: Context): string {
  return typeof ctx.request.rawBody === 'string' ? ctx.request.rawBody : '';
}

function readMultipart(ctx: Context, limit: number): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    let size = 0;
    const refuse = (fault: Fault) => {
      ctx.req.unpipe(parser);
      ctx.req.resume();
      reject(fault);
    };
    const tooLarge = () => refuse(new Fault('too-large', `The form is larger than ${limit} bytes`));
    const malformed = (cause: unknown) =>
      refuse(new Fault('invalid', 'Malformed form data', { code: 'BAD_REQUEST', cause }));
    let parser: busboy.Busboy;
    try {
      parser = busboy({ headers: ctx.req.headers, limits: { fields: MOST_FIELDS, fieldSize: limit, files: 0 } });
    } catch (error) {
      // No boundary in the header.
      return reject(new Fault('invalid', 'Malformed form data', { code: 'BAD_REQUEST', cause: error }));
    }
    parser.on('field', (name, value, info) => {
      size += name.length + value.length;
      if (size > limit || info.valueTruncated) return tooLarge();
      fields[name] = value;
    });
    parser.on('error', malformed);
    parser.on('close', () => resolve(fields));
    ctx.req.on('error', malformed);
    ctx.req.pipe(parser);
  });
}
