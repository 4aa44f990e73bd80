/**
 * A door before Koa's for requests that come far more often than all others. A route that has a quick way answers it from
 * memory alone; whatever is unusual, unknown or wrong is left to the ordinary way, so there is nothing here to refuse.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asciiJson } from '../ascii-json';
import type { Kernel } from '../kernel';
import type { Mount } from '../product';
import { faultOf } from './faults';
import { noteRequest, requestIdOf, type Observed } from './observe';

export interface QuickCall<By> {
  readonly kernel: Kernel;
  readonly by: By;
  /** Without the question mark. */
  readonly query: string;
  /** Answers with JSON that is written already, in ASCII: now or later. */
  answer(body: string): void;
  fail(error: unknown): void;
  /** Told if the client goes before it is answered. */
  onHangUp(held: { leave(): void }): void;
}

/** Never sent: the name that proxies have for it in their logs. */
const CLIENT_LEFT = 499;

const OWN_HEADERS = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };

type AnyRoute = Mount['routes'][number];
interface Quick {
  readonly mount: Mount;
  readonly route: AnyRoute;
  readonly headers: readonly string[];
}

/** Says whether it has taken the request. */
export function openQuickDoor(
  kernel: Kernel,
  mounts: readonly Mount[],
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const byPath = new Map<string, Quick>();
  for (const mount of mounts) {
    const headers = Object.entries({ ...mount.dialect.headers, ...OWN_HEADERS }).flat();
    for (const route of mount.routes) {
      if (route.quick) byPath.set(`${mount.prefix}${route.path}`, { mount, route, headers });
    }
  }

  return (request, response) => {
    if (request.method !== 'GET') return false;
    const url = request.url!;
    const mark = url.indexOf('?');
    if (mark === -1) return false;
    const path = url.slice(0, mark);
    const quick = byPath.get(path);
    if (!quick || !isPlain(request)) return false;
    const { authorization, host } = request.headers;
    if (authorization === undefined || host === undefined) return false;
    const by: unknown = quick.mount.dialect.recall?.(kernel, { authorization, host });
    if (by === undefined) return false;
    const exchange = new Exchange({ kernel, by, query: url.slice(mark + 1), quick, path, request, response });
    return quick.route.quick!(exchange);
  };
}

/** Nothing that could mean more than its path and query say. */
function isPlain({ headers }: IncomingMessage): boolean {
  return (
    (headers['content-length'] === undefined || headers['content-length'] === '0') &&
    headers['transfer-encoding'] === undefined &&
    headers['x-forwarded-host'] === undefined &&
    !(headers.accept?.includes('text/event-stream') ?? false)
  );
}

interface ExchangeParts {
  readonly kernel: Kernel;
  readonly by: unknown;
  readonly query: string;
  readonly quick: Quick;
  readonly path: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** One request and its answer. It may be held for a minute, by the ten thousand: it keeps as little as it can. */
class Exchange implements QuickCall<unknown>, Observed {
  readonly kernel: Kernel;
  readonly by: unknown;
  readonly query: string;
  readonly path: string;
  readonly method = 'GET';
  readonly requestId: string;
  readonly began = performance.now();
  readonly #quick: Quick;
  readonly #response: ServerResponse;

  constructor({ kernel, by, query, quick, path, request, response }: ExchangeParts) {
    this.kernel = kernel;
    this.by = by;
    this.query = query;
    this.path = path;
    this.requestId = requestIdOf(request.headers['x-request-id'] as string | undefined);
    this.#quick = quick;
    this.#response = response;
  }

  get product(): string {
    return this.#quick.mount.prefix || '/';
  }

  get route(): string {
    return this.#quick.route.path;
  }

  answer(body: string): void {
    this.#send(200, body, this.#quick.headers);
  }

  fail(error: unknown): void {
    const fault = faultOf(error);
    const { requestId, path } = this;
    if (fault.kind === 'internal') this.kernel.log.error({ requestId, path, error }, 'request failed');
    const reply = this.#quick.mount.dialect.failure(fault);
    const more = Object.entries({ ...reply.headers, ...fault.headers }).flat();
    this.#send(reply.status, asciiJson(JSON.stringify(reply.body)), [...this.#quick.headers, ...more]);
  }

  onHangUp(held: { leave(): void }): void {
    this.#response.on('close', () => {
      if (!this.#response.writableEnded) held.leave();
    });
  }

  #send(status: number, body: string, headers: readonly string[]): void {
    const response = this.#response;
    if (response.destroyed) return noteRequest(this.kernel, this, CLIENT_LEFT);
    const own = ['X-Request-Id', this.requestId, 'Content-Length', String(body.length)];
    // A client that keeps the connection would keep the drain waiting.
    if (this.kernel.lifecycle.draining.aborted) own.push('Connection', 'close');
    response.writeHead(status, headers.concat(own));
    response.end(body, 'latin1');
    noteRequest(this.kernel, this, status);
  }
}
