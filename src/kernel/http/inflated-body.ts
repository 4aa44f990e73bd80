/** Decompresses a request body. The body parser itself would neither notice a hang-up nor survive a late error. */
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import type { Context } from 'koa';
import { Fault } from '../fault';
import { refusal } from './body-bytes';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createUnzip(),
  deflate: () => createUnzip(),
  br: () => createBrotliDecompress(),
};

/** Calls back with a context whose request is the plain body. */
export function withInflated<T>(ctx: Context, read: (ctx: Context) => Promise<T>): Promise<T> {
  const encoding = ctx.req.headers['content-encoding'] ?? '';
  return encoding === '' || encoding === 'identity' ? read(ctx) : inflated(ctx, encoding, read);
}

async function inflated<T>(ctx: Context, encoding: string, read: (ctx: Context) => Promise<T>): Promise<T> {
  const { req: request } = ctx;
  if (!Object.hasOwn(DECODERS, encoding)) throw refusal(415, `The content encoding ${encoding} is not supported`);
  // A request emits its close once, perhaps before we listen.
  if (request.destroyed) throw new Error('the client hung up');
  const plain = DECODERS[encoding]!();
  // Errors can also come after the parser has given up and no longer listens.
  plain.on('error', () => {});
  const hangUp = () => {
    if (!request.complete) plain.destroy(new Error('the client hung up'));
  };
  request.once('close', hangUp).pipe(plain);
  try {
    return await read(contextWith(ctx, plain));
  } catch (cause) {
    // A refusal has a status. An error without one means that the body is not compressed as its header says.
    if (typeof (cause as { status?: unknown }).status === 'number') throw cause;
    throw new Fault('invalid', 'The body cannot be unpacked as its Content-Encoding says', {
      code: 'BAD_REQUEST',
      cause,
    });
  } finally {
    request.off('close', hangUp).unpipe(plain);
    plain.destroy();
  }
}

/** Readers look at the headers of the stream: this one has no encoding and no known length. */
function contextWith(ctx: Context, plain: Transform): Context {
  const req = Object.assign(plain, { headers: {} }) as unknown as IncomingMessage;
  return Object.create(ctx, { req: { value: req } }) as Context;
}
