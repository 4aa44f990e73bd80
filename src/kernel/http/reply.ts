/** Writes the answers of a product's routes: everything that does not change from one to the next is put together once. */
import type { Context } from 'koa';
import type { Kernel } from '../kernel';
import type { Dialect, Reply } from './dialect';
import { Download } from './outgoing';
import { SAFE_HEADERS } from './safe-headers';

export type Headers = Readonly<Record<string, string>>;

interface Written {
  readonly requestId: string;
  readonly reply: Reply;
  /** What the rate limit tells of its count. */
  readonly counted: Headers | undefined;
}

export interface ReplyWriter {
  write(ctx: Context, written: Written): void;
}

const JSON_TYPE = 'application/json; charset=utf-8';
/** These have no body, and say nothing of one. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

export function openReplies(kernel: Kernel, dialect: Dialect<unknown>): ReplyWriter {
  const own = { ...SAFE_HEADERS, ...dialect.headers };
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const list = Object.entries(own).flat();

  /** Names and values in turn; what is said last counts. */
  function listOf(more: Headers): string[] {
    const given = Object.keys(more);
    const all = given.some((name) => names.has(name.toLowerCase())) ? without(own, given) : list;
    return all.concat(Object.entries(more).flat());
  }

  /** Past Koa, which would look each header over, put it away and take it out again. */
  function writeNow({ res, writable }: Context, { requestId, reply, counted }: Written): void {
    if (!writable) return void res.end();
    const { status, body, headers: more } = reply;
    const headers = ['X-Request-Id', requestId].concat(more || counted ? listOf({ ...counted, ...more }) : list);
    // A client that keeps the connection would keep the drain waiting.
    if (kernel.lifecycle.draining.aborted) headers.push('Connection', 'close');
    if (body === undefined) {
      if (!BODILESS.has(status)) headers.push('Content-Length', '0');
      res.writeHead(status, headers);
      res.end();
      return;
    }
    const text = JSON.stringify(body);
    headers.push('Content-Type', JSON_TYPE, 'Content-Length', String(Buffer.byteLength(text)));
    res.writeHead(status, headers);
    res.end(text);
  }

  return {
    write(ctx, written) {
      const { requestId, reply, counted } = written;
      if (!(reply instanceof Download)) {
        ctx.respond = false;
        return writeNow(ctx, written);
      }
      ctx.status = reply.status;
      ctx.set({ ...own, 'X-Request-Id': requestId, ...counted, ...reply.headers });
      if (kernel.lifecycle.draining.aborted) ctx.set('Connection', 'close');
      ctx.body = reply.body;
      ctx.set('Content-Type', reply.type);
    },
  };
}

function without(own: Headers, names: readonly string[]): string[] {
  const left = new Set(names.map((name) => name.toLowerCase()));
  return Object.entries(own)
    .filter(([name]) => !left.has(name.toLowerCase()))
    .flat();
}
