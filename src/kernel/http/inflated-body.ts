/** Decompresses a request body for the body parser, which would neither notice a hang-up nor survive a late error. */
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import type { Context } from 'koa';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createUnzip(),
  deflate: () => createUnzip(),
  br: () => createBrotliDecompress(),
};

/** Calls back with a context whose request is the plain body. The body parser refuses all other encodings. */
export function withInflated<T>(ctx: Context, read: (ctx: Context) => Promise<T>): Promise<T> {
  const encoding = ctx.req.headers['content-encoding'];
  const open = encoding !== undefined && Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  return open ? inflated(ctx, open, read) : read(ctx);
}

async function inflated<T>(ctx: Context, open: () => Transform, read: (ctx: Context) => Promise<T>): Promise<T> {
  const { req: request } = ctx;
  // A request emits its close once, perhaps before we listen.
  if (request.destroyed) throw new Error('the client hung up');
  const plain = open();
  // Errors can also come after the parser has given up and no longer listens.
  plain.on('error', () => {});
  const hangUp = () => {
    if (!request.complete) plain.destroy(new Error('the client hung up'));
  };
  request.once('close', hangUp).pipe(plain);
  try {
    return await read(contextWith(ctx, plain));
  } finally {
    request.off('close', hangUp).unpipe(plain);
    plain.destroy();
  }
}

/** The body parser reads the headers of its stream: this stream has no encoding and no known length. */
function contextWith(ctx: Context, plain: Transform): Context {
  const req = Object.assign(plain, { headers: {} }) as unknown as IncomingMessage;
  return Object.create(ctx, { req: { value: req } }) as Context;
}
