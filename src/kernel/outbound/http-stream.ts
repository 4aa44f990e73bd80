/** A GET whose body is passed on as it arrives, from a server that the operator has configured. */
import { request as http, type IncomingMessage } from 'node:http';
import { request as https } from 'node:https';
import { Late } from './http-exchange';

export interface HttpStream {
  readonly status: number;
  /** In bytes; undefined if the server does not say. */
  readonly length: number | undefined;
  readonly body: IncomingMessage;
}

/** The deadline is for the head, and for each pause of the body. */
export function openHttpStream(
  url: URL,
  { headers, deadlineMs }: { readonly headers: Readonly<Record<string, string>>; readonly deadlineMs: number },
): Promise<HttpStream> {
  return new Promise((resolve, reject) => {
    const call = (url.protocol === 'https:' ? https : http)(url, { agent: false, headers }, (body) => {
      const length = Number(body.headers['content-length']);
      resolve({
        status: body.statusCode ?? 0,
        length: Number.isSafeInteger(length) && length >= 0 ? length : undefined,
        body,
      });
    });
    call.setTimeout(Math.max(1, Math.round(deadlineMs)), () =>
      call.destroy(new Late(call.socket?.connecting === false)),
    );
    call.once('error', reject);
    call.end();
  });
}

/** A part of a stream. What comes before it is read and dropped, and what comes after it is not read. */
export async function* partOf(body: AsyncIterable<Buffer>, from: number, to: number): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const piece of body) {
    const begin = Math.max(0, from - at);
    const end = Math.min(piece.length, to + 1 - at);
    at += piece.length;
    if (begin < end) yield piece.subarray(begin, end);
    if (at > to) return;
  }
}
