/** Reads multipart forms: fields within their limit, and files into the route's spool. */
import busboy from 'busboy';
import type { Context } from 'koa';
import { Fault } from '../fault';
import type { Spool } from '../files/upload-spool';

export const MAX_FIELDS = 1000;
export const tooManyFields = (): Fault =>
  new Fault('invalid', `The form has more than ${MAX_FIELDS} fields`, { code: 'BAD_REQUEST' });
/** Enough to tell one file from several; only the first is kept. */
const MAX_FILES = 2;

/** Where a route's files go, and how large one may be. */
export interface FileWish {
  readonly limitBytes: number;
  readonly spool: Spool;
}

export function readMultipart(ctx: Context, limit: number, wish?: FileWish): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    let size = 0;
    const refuse = (fault: unknown) => {
      ctx.req.unpipe(parser);
      ctx.req.resume();
      // Files that are being spooled end too.
      parser.destroy();
      reject(fault);
    };
    const tooLarge = () => refuse(new Fault('too-large', `The form is larger than ${limit} bytes`));
    const malformed = (cause: unknown) =>
      refuse(new Fault('invalid', 'Malformed form data', { code: 'BAD_REQUEST', cause }));
    // A request emits its close once, perhaps before we listen.
    if (ctx.req.destroyed) return reject(new Fault('invalid', 'The form broke off', { code: 'BAD_REQUEST' }));
    let parser: busboy.Busboy;
    try {
      const forFiles = wish ? { files: MAX_FILES, fileSize: wish.limitBytes + 1 } : { files: 0 };
      const limits = { fields: MAX_FIELDS, fieldSize: limit, ...forFiles };
      parser = busboy({ headers: ctx.req.headers, defParamCharset: 'utf8', limits });
    } catch (error) {
      // The header has no boundary.
      return reject(new Fault('invalid', 'Malformed form data', { code: 'BAD_REQUEST', cause: error }));
    }
    parser.on('field', (name, value, info) => {
      size += name.length + value.length;
      if (size > limit || info.valueTruncated) return tooLarge();
      fields[name] = value;
    });
    parser.on('fieldsLimit', () => refuse(tooManyFields()));
    parser.on('file', (field, stream, { filename, mimeType }) => {
      if (!wish) return void stream.resume();
      wish.spool.take({ field, name: filename ?? '', type: mimeType }, stream).catch(refuse);
    });
    parser.on('error', malformed);
    parser.on('close', () => resolve(fields));
    ctx.req.on('error', malformed);
    ctx.req.pipe(parser);
  });
}
