/** Renders the reply of a route into Koa's response. */
import { validateHeaderValue } from 'node:http';
import type { Context } from 'koa';
import type { Reply } from './wire-format';
import { Download } from './outgoing';
import { LARGE_BYTES, piecesOf } from './connection/unsent';

/** Counts the bytes of a large response until it has left; throws if too many responses wait to be read. */
type Hold = (bytes: number) => void;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** If it throws, the response is unchanged, and another reply can be rendered instead. */
export function render(ctx: Context, reply: Reply, hold: Hold = () => {}): void {
  const { headers, status } = reply;
  if (headers) for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, String(value));
  const body = bodyOf(reply, hold);
  const { response } = ctx;
  response.status = status;
  if (headers) response.set(headers);
  if (!body) {
    // Koa itself leaves the body of a 204 out, and turns every null body into one.
    if (status === 204) return;
    response.body = null;
    response.status = status;
    return;
  }
  response.set('Content-Type', body.type);
  response.body = body.content;
  if (body.length !== undefined) response.length = body.length;
}

interface Body {
  readonly content: Download['body'];
  readonly type: string;
  /** Set for a body in pieces, whose length is known. */
  readonly length?: number;
}

function bodyOf(reply: Reply, hold: Hold): Body | undefined {
  if (reply instanceof Download) return downloadBody(reply, hold);
  if (reply.type !== undefined) return { content: String(reply.body), type: reply.type };
  return jsonBody(reply.body, hold);
}

function jsonBody(value: unknown, hold: Hold): Body | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  // A UTF-16 unit is at most three bytes of UTF-8.
  if (text.length * 3 <= LARGE_BYTES || Buffer.byteLength(text) <= LARGE_BYTES)
    return { content: text, type: JSON_TYPE };
  return inPieces(Buffer.from(text), JSON_TYPE, hold);
}

/** What a stream from the database buffers while its client reads: the current piece and the next. */
const STREAM_BYTES = 2 * 1024 * 1024;

function downloadBody({ body, type, headers }: Download, hold: Hold): Body {
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    const bytes = Buffer.from(body as string);
    return bytes.length <= LARGE_BYTES ? { content: bytes, type } : inPieces(bytes, type, hold);
  }
  try {
    hold(Math.min(STREAM_BYTES, Number(headers['Content-Length'] ?? STREAM_BYTES)));
  } catch (error) {
    body.destroy();
    throw error;
  }
  return { content: body, type };
}

/** A stream, so that the connection buffers no more of a large body than its client reads. */
function inPieces(bytes: Buffer, type: string, hold: Hold): Body {
  hold(bytes.length);
  return { content: piecesOf(bytes), type, length: bytes.length };
}
