/** Reads the bytes of a body. Refusals have a status, like those of the body parser. */
import type { IncomingMessage } from 'node:http';

const NO_BYTES = Buffer.alloc(0);

export const refusal = (status: number, message: string): Error => Object.assign(new Error(message), { status });
const tooLarge = (limitBytes: number): Error => refusal(413, `The body is larger than ${limitBytes} bytes`);

/** The request may be a decompressed one, which has no headers. */
export async function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const length = Number(request.headers['content-length']);
  if (length > limitBytes) throw tooLarge(limitBytes);
  // Node calls us at the end of the headers, and parses what came with them before the next microtask.
  await Promise.resolve();
  // Most bodies came with their headers. Listening for their pieces would cost more than parsing them.
  if (request.readableLength === length && !request.destroyed) return (request.read() as Buffer | null) ?? NO_BYTES;
  return readPieces(request, limitBytes);
}

function readPieces(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    function leave(): void {
      request.off('data', take).off('end', finish).off('error', fail).off('close', breakOff);
    }
    function take(piece: Buffer): void {
      pieces.push(piece);
      size += piece.length;
      if (size > limitBytes) fail(tooLarge(limitBytes));
    }
    function finish(): void {
      leave();
      resolve(Buffer.concat(pieces));
    }
    function fail(error: Error): void {
      leave();
      request.pause();
      reject(error);
    }
    function breakOff(): void {
      fail(refusal(400, 'The body broke off'));
    }
    // A request emits its close once, perhaps before we listen.
    if (request.destroyed) return breakOff();
    request.on('data', take).on('end', finish).on('error', fail).on('close', breakOff);
  });
}
