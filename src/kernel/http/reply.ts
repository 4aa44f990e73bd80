/** Writes the answers of a product's routes: everything that does not change from one to the next is put together once. */
import { validateHeaderValue, type ServerResponse } from 'node:http';
import type { Kernel } from '../kernel';
import type { Dialect, Reply } from './dialect';
import { Download } from './outgoing';
import { SAFE_HEADERS } from './safe-headers';
import { LARGE_BYTES, piecesOf, sendPieces, type UnsentAnswers } from './unsent';
import type { Visit } from './visit';
import { lineOf, linesOf, type WholeReplies } from './whole-reply';

export type Headers = Readonly<Record<string, string>>;

export interface ReplyWriter {
  /** Counted is what the rate limit tells of its count. Throws a fault, and writes nothing, where too much waits unread. */
  write(visit: Visit, reply: Reply, counted: Headers | undefined): void;
}

/** Those who write. */
export interface Pens {
  readonly whole: WholeReplies;
  /** Answers by Koa, which knows about streams. */
  readonly answerByKoa: AnswerByKoa;
  readonly unsent: UnsentAnswers;
}

export type AnswerByKoa = (visit: Visit, write: (ctx: Visit['context']) => void) => void;

const JSON_TYPE = 'application/json; charset=utf-8';
const JSON_LINE = lineOf('Content-Type', JSON_TYPE);
/** These have no body, and say nothing of one. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

export function openReplies(kernel: Kernel, dialect: Dialect<unknown>, pens: Pens): ReplyWriter {
  const { whole, answerByKoa, unsent } = pens;
  const own = { ...SAFE_HEADERS, ...dialect.headers };
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const list = Object.entries(own).flat();
  const lines = linesOf(own);

  /** Names and values in turn; what is said last counts. */
  function listOf(more: Headers): string[] {
    const given = Object.keys(more);
    const all = given.some((name) => names.has(name.toLowerCase())) ? without(own, given) : list;
    return all.concat(Object.entries(more).flat());
  }

  /** In one piece, where nothing about it is out of the ordinary. */
  function writeWhole(visit: Visit, { status, text, type, length }: Written, counted: Headers | undefined): boolean {
    const about = `${type === undefined ? '' : JSON_LINE}${length === undefined ? '' : lineOf('Content-Length', length)}`;
    const head = `X-Request-Id: ${visit.requestId}\r\n${lines}${counted ? linesOf(counted) : ''}${about}`;
    return whole.send(visit.response, { status, lines: head, body: text, bytes: Number(length ?? 0) });
  }

  /** Past Koa, which would look each header over, put it away and take it out again. */
  function writeByNode(visit: Visit, written: Written, more: Headers | undefined): void {
    const { status, text, type, length } = written;
    const headers = ['X-Request-Id', visit.requestId].concat(more ? listOf(more) : list);
    // A client that keeps the connection would keep the drain waiting.
    if (kernel.lifecycle.draining.aborted) headers.push('Connection', 'close');
    if (type !== undefined) headers.push('Content-Type', type);
    if (length !== undefined) headers.push('Content-Length', length);
    if (isSmall(written)) return void visit.response.writeHead(status, headers).end(text);
    const body = Buffer.from(text);
    unsent.hold(visit.response, visit.caller, body.length);
    visit.response.writeHead(status, headers);
    sendPieces(visit.response, body);
  }

  function writeNow(visit: Visit, reply: Reply, counted: Headers | undefined): void {
    if (!isWritable(visit.response)) return void visit.response.end();
    const { headers: more } = reply;
    const isUsual = more === undefined && !kernel.lifecycle.draining.aborted;
    const written = writtenOf(reply);
    if (isUsual && isSmall(written) && writeWhole(visit, written, counted)) return;
    writeByNode(visit, written, more || counted ? { ...counted, ...more } : undefined);
  }

  return {
    write(visit, reply, counted) {
      if (!(reply instanceof Download)) return writeNow(visit, reply, counted);
      const { body, length } = countedBody(visit, reply, unsent);
      const headers = { ...own, 'X-Request-Id': visit.requestId, ...counted, ...length, ...reply.headers };
      // Whatever Koa refuses later would be answered outside the dialect.
      for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value);
      return answerByKoa(visit, (ctx) => {
        ctx.status = reply.status;
        ctx.set(headers);
        if (kernel.lifecycle.draining.aborted) ctx.set('Connection', 'close');
        ctx.body = body;
        ctx.set('Content-Type', reply.type);
      });
    },
  };
}

const isSmall = ({ length }: Written): boolean => length === undefined || Number(length) <= LARGE_BYTES;

/** What a stream from the database holds while its client reads: the piece that leaves, and the next. */
const STREAM_BYTES = 2 * 1024 * 1024;

/** A stream of events holds little and lasts long: only what waits on its connection counts. */
const isEventStream = ({ type }: Download): boolean => type.startsWith('text/event-stream');

function countedBody(visit: Visit, reply: Download, unsent: UnsentAnswers) {
  if (typeof reply.body !== 'string' && !Buffer.isBuffer(reply.body)) {
    const { body: stream, headers } = reply;
    try {
      const bytes = Math.min(STREAM_BYTES, Number(headers['Content-Length'] ?? STREAM_BYTES));
      if (!isEventStream(reply)) unsent.hold(visit.response, visit.caller, bytes);
    } catch (error) {
      stream.destroy();
      throw error;
    }
    return { body: stream, length: {} };
  }
  const body = Buffer.from(reply.body as string);
  if (body.length <= LARGE_BYTES) return { body, length: {} };
  unsent.hold(visit.response, visit.caller, body.length);
  return { body: piecesOf(body), length: { 'Content-Length': String(body.length) } };
}

/** A reply as it goes over the wire; without a body it has no type, and perhaps no length. */
interface Written {
  readonly status: number;
  readonly text: string;
  readonly type: string | undefined;
  readonly length: string | undefined;
}

function writtenOf({ status, body }: Reply): Written {
  if (body === undefined) {
    return { status, text: '', type: undefined, length: BODILESS.has(status) ? undefined : '0' };
  }
  const text = JSON.stringify(body);
  return { status, text, type: JSON_TYPE, length: String(Buffer.byteLength(text)) };
}

/** One that has to wait its turn has no socket yet. */
function isWritable({ socket, writableEnded }: ServerResponse): boolean {
  return !writableEnded && (socket === null || socket.writable);
}

function without(own: Headers, names: readonly string[]): string[] {
  const left = new Set(names.map((name) => name.toLowerCase()));
  return Object.entries(own)
    .filter(([name]) => !left.has(name.toLowerCase()))
    .flat();
}
