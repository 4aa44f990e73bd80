/**
 * One HTTP exchange with a server that the operator has configured. The deadline covers the whole exchange, and the body
 * has a size limit. It is node:http, because fetch costs several times the CPU, and forgets its signal once garbage is
 * collected after the headers.
 */
import { request as http, type Agent, type IncomingMessage } from 'node:http';
import { request as https } from 'node:https';

export interface HttpCall {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly deadlineMs: number;
}

export interface HttpReply {
  readonly status: number;
  readonly text: string;
  /** What the server wants to be sent again, as it wrote it. */
  readonly cookies?: readonly string[];
}

export interface HttpOptions {
  readonly agent: Agent | false;
  readonly maxBytes: number;
}

/** The deadline has passed. */
export class Late extends Error {
  /** If not, nothing can have been sent. */
  readonly isConnected: boolean;

  constructor(isConnected: boolean) {
    super('no answer within the deadline');
    this.isConnected = isConnected;
  }
}

/** An idle connection broke. The server may have closed it before it saw the call, as after a timeout or restart. */
export class Stale extends Error {}

/** Redirects are returned like any other answer. */
export function exchangeHttp(
  url: URL,
  { method, headers = {}, body, deadlineMs }: HttpCall,
  { agent, maxBytes }: HttpOptions,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const call = (isSecure ? https : http)(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > maxBytes) call.destroy(new Error('the answer is too long'));
      });
      response.once('end', () => settle(() => resolve(replyOf(response, chunks))));
      // A truncated response emits `close` without `end`.
      response.once('close', () => settle(() => reject(new Error('the answer is not whole'))));
    });
    // The deadline holds however slowly data arrives.
    const timer = setTimeout(
      () => call.destroy(new Late(call.socket?.connecting === false)),
      Math.max(1, Math.round(deadlineMs)),
    );
    const settle = (how: () => void) => {
      clearTimeout(timer);
      how();
    };
    call.once('error', (error: NodeJS.ErrnoException) => {
      const isStale = call.reusedSocket && error.code === 'ECONNRESET';
      settle(() => reject(isStale ? new Stale(error.message, { cause: error }) : error));
    });
    call.end(body);
  });
}

function replyOf({ statusCode, headers }: IncomingMessage, chunks: readonly Buffer[]): HttpReply {
  const cookies = headers['set-cookie'];
  return { status: statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8'), ...(cookies ? { cookies } : {}) };
}

/** Codes that mean nothing was sent, because no connection was made. */
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']);

/** If a name has several addresses, their failures arrive as one AggregateError. */
export function isUnreachable(error: unknown): boolean {
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return UNREACHABLE.has((first as { code?: string }).code ?? '');
}
