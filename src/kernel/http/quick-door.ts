/**
 * A door before Koa's for requests that come far more often than all others. A route that has a quick way answers it from
 * memory alone; whatever is unusual, unknown or wrong is left to the ordinary way, so there is nothing here to refuse.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { asciiJson } from '../ascii-json';
import type { Kernel } from '../kernel';
import type { Mount } from '../product';
import { faultOf } from './faults';
import { noteRequest, requestIdOf, type Observed } from './observe';
import { HandedRequest, QuickConnection, ResponseWay, type Way } from './quick-connection';
import { wholeAnswers } from './whole-answer';

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
/** What all requests of a route have in common. */
interface Quick {
  readonly kernel: Kernel;
  readonly mount: Mount;
  readonly route: AnyRoute;
  readonly path: string;
  readonly headers: readonly string[];
  readonly whole: (requestId: string, body: string) => string;
}

export interface QuickDoor {
  /** Says whether it has taken a request that Node has made a response for. */
  take(request: IncomingMessage, response: ServerResponse): boolean;
  /** Opens the door to the requests of every connection, before Node does anything about them. */
  watch(server: Server): void;
}

export function openQuickDoor(kernel: Kernel, mounts: readonly Mount[], keepAliveMs: number): QuickDoor {
  const byPath = new Map<string, Quick>();
  for (const mount of mounts) {
    const headers = Object.entries({ ...mount.dialect.headers, ...OWN_HEADERS });
    const whole = wholeAnswers(headers, keepAliveMs);
    for (const route of mount.routes) {
      const path = `${mount.prefix}${route.path}`;
      if (route.quick) byPath.set(path, { kernel, mount, route, path, headers: headers.flat(), whole });
    }
  }

  function admit(request: IncomingMessage, way: Way): boolean {
    const url = request.url!;
    const mark = url.indexOf('?');
    if (mark === -1) return false;
    const quick = byPath.get(url.slice(0, mark));
    if (!quick || !isPlain(request)) return false;
    const { authorization, host } = request.headers;
    if (authorization === undefined || host === undefined) return false;
    const by: unknown = quick.mount.dialect.recall?.(kernel, { authorization, host });
    return by !== undefined && quick.route.quick!(new Exchange(quick, by, request, way));
  }

  return {
    take(request, response) {
      if (request instanceof HandedRequest) return true;
      return request.method === 'GET' && admit(request, new ResponseWay(response));
    },
    watch(server) {
      server.on('connection', (socket: Socket) => QuickConnection.open(socket, keepAliveMs, admit));
    },
  };
}

/** Nothing that could mean more than its path and query say. */
function isPlain({ headers }: IncomingMessage): boolean {
  return (
    (headers['content-length'] === undefined || headers['content-length'] === '0') &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined &&
    headers['x-forwarded-host'] === undefined &&
    !(headers.accept?.includes('text/event-stream') ?? false)
  );
}

/** One request and its answer. It may be held for a minute, by the ten thousand: it keeps as little as it can. */
class Exchange implements QuickCall<unknown>, Observed {
  readonly by: unknown;
  query: string;
  readonly began = performance.now();
  readonly #quick: Quick;
  readonly #way: Way;
  #requestId: string | undefined;

  // oxlint-disable-next-line max-params -- what was asked, by whom, in which words, and where the answer goes
  constructor(quick: Quick, by: unknown, request: IncomingMessage, way: Way) {
    this.by = by;
    this.query = request.url!.slice(quick.path.length + 1);
    const given = request.headers['x-request-id'] as string | undefined;
    if (given !== undefined) this.#requestId = requestIdOf(given);
    this.#quick = quick;
    this.#way = way;
  }

  /** Made when it is first needed, which may be a minute later. */
  get requestId(): string {
    return (this.#requestId ??= requestIdOf(undefined));
  }

  get kernel(): Kernel {
    return this.#quick.kernel;
  }

  get method(): string {
    return 'GET';
  }

  get path(): string {
    return this.#quick.path;
  }

  get product(): string {
    return this.#quick.mount.prefix || '/';
  }

  get route(): string {
    return this.#quick.route.path;
  }

  answer(body: string): void {
    this.#send(200, body, []);
  }

  fail(error: unknown): void {
    const fault = faultOf(error);
    const { requestId, path } = this;
    if (fault.kind === 'internal') this.kernel.log.error({ requestId, path, error }, 'request failed');
    const reply = this.#quick.mount.dialect.failure(fault);
    const more = Object.entries({ ...reply.headers, ...fault.headers }).flat();
    this.#send(reply.status, asciiJson(JSON.stringify(reply.body)), more);
  }

  onHangUp(held: { leave(): void }): void {
    this.#way.onHangUp(held);
    // Nobody will look at it again, and the time until it is answered may be long.
    this.query = '';
  }

  #send(status: number, body: string, more: readonly string[]): void {
    const way = this.#way;
    const { kernel, headers, whole } = this.#quick;
    const { requestId } = this;
    if (way.isGone) return noteRequest(kernel, this, CLIENT_LEFT);
    const isDraining = kernel.lifecycle.draining.aborted;
    if (status !== 200 || isDraining || !way.write(whole(requestId, body))) {
      const own = ['X-Request-Id', requestId, 'Content-Length', String(body.length)];
      // A client that keeps the connection would keep the drain waiting.
      if (isDraining) own.push('Connection', 'close');
      const response = way.response();
      response.writeHead(status, headers.concat(more, own));
      response.end(body, 'latin1');
    }
    noteRequest(kernel, this, status);
  }
}
