// One HTTP request and its answer: reads and sends JSON, and cuts the connection when a fault asks for it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from './store';

const BODY_LIMIT = 256 * 1024;

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** HTML instead of a JSON body. */
  page?: string;
}

/** Ends a request with this status and {error: message}. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early must not close the connection, because the caller still has to read the refusal.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new Refusal(413, `the body is larger than ${BODY_LIMIT} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export async function readObject(request: IncomingMessage): Promise<JsonObject> {
  const value = parse(await readText(request));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(400, 'the body must be a JSON object');
  }
  return value as JsonObject;
}

export function send({ response }: Exchange, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const type = answer.page === undefined ? 'application/json' : 'text/html';
  response.writeHead(answer.status, { 'content-type': type, ...answer.headers });
  response.end(answer.page ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body)));
}

export function sendGarbage({ response }: Exchange): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end('<html><body>{"number": \u0000 PBX maintenance');
}

const TRICKLE_MS = 100;

/** Sends the answer byte by byte: never silent for long, and never done in time. */
export function trickle({ response }: Exchange, answer: Answer): void {
  const bytes = Buffer.from(JSON.stringify(answer.body ?? null));
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  let at = 0;
  const timer = setInterval(() => {
    if (at < bytes.length) response.write(bytes.subarray(at, ++at));
    else response.end();
  }, TRICKLE_MS);
  response.once('close', () => clearInterval(timer));
}

/** Ends the connection by a TCP reset, as a crashed machine or a cut line would. */
export function reset({ request }: Exchange): void {
  request.socket.resetAndDestroy();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'the body is not valid JSON');
  }
}
