/** Reads a response body within its limit, which applies both before and after decompression. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundError } from './outbound-error';

/** What happens to a body that is too large: an error, or truncation. */
export type TooLarge = 'refuse' | 'cut';

export interface BodyBound {
  readonly bytes: number;
  readonly tooLarge: TooLarge;
}

// A truncated body ends in the middle of its compressed data.
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };
const LENIENT_BROTLI = { finishFlush: constants.BROTLI_OPERATION_FLUSH };

const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(LENIENT),
  'x-gzip': () => createGunzip(LENIENT),
  deflate: () => createInflate(LENIENT),
  br: () => createBrotliDecompress(LENIENT_BROTLI),
};

/** For the request header `Accept-Encoding`. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

export async function readBody(response: IncomingMessage, bound: BodyBound): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bounded(unpacked(response, bound), bound)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Ends or fails at the limit. */
async function* bounded(source: AsyncIterable<Buffer>, { bytes, tooLarge }: BodyBound): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const chunk of source) {
    if (chunk.length <= left) {
      left -= chunk.length;
      yield chunk;
      continue;
    }
    if (tooLarge === 'refuse') throw new OutboundError('too-large', `The answer is larger than ${bytes} bytes`);
    yield chunk.subarray(0, left);
    return;
  }
}

function unpacked(response: IncomingMessage, bound: BodyBound): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return response;
  const open = Object.hasOwn(UNPACKERS, encoding) ? UNPACKERS[encoding] : undefined;
  if (!open) throw new OutboundError('broken', 'The answer is packed in an unknown way');
  // Errors reach the reader of the last stream.
  return pipeline(
    response,
    (source: AsyncIterable<Buffer>) => bounded(source, bound),
    open(),
    () => {},
  );
}
