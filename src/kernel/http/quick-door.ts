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
import { IdleConnections } from './idle-connections';
import type { LastRequest } from './last-request';
import { CLIENT_LEFT, noteRequest, requestIdOf, type Observed } from './observe';
import { HandedRequest, QuickConnection, type Way } from './quick-connection';
import { ResponseWay } from './response-way';
import { LARGE_BYTES, sendPieces, type UnsentAnswers } from './unsent';
import { wholeAnswers } from './whole-answer';

export interface QuickCall<By> {
  readonly kernel: Kernel;
  readonly by: By;
  /** What the route keeps for as long as its requests come on the same connection. */
  kept<Note>(make: () => Note): Note;
  /** Answers with JSON that is written already, in ASCII: now or later. */
  answer(body: string): void;
  fail(error: unknown): void;
  /** Told if the client goes before it is answered. */
  onHangUp(held: { leave(): void }): void;
}

const OWN_HEADERS = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };

type QuickWay = Way<Quick>;
type AnyRoute = Mount['routes'][number];
/** What all requests of a route have in common. */
interface Quick {
  readonly kernel: Kernel;
  readonly mount: Mount;
  readonly route: AnyRoute;
  readonly path: string;
  /** With its question mark. */
  readonly start: string;
  readonly headers: readonly string[];
  readonly whole: (requestId: string, body: string) => string;
  readonly unsent: UnsentAnswers;
}

export interface QuickDoor {
  /** Says whether it has taken a request that Node has made a response for. */
  take(request: IncomingMessage, response: ServerResponse): boolean;
  /** Opens the door to the requests of every connection, before Node does anything about them. */
  watch(server: Server): void;
  /** Whether a request of this connection, for which Node has made no response, is still to be answered. */
  isHolding(socket: Socket): boolean;
}

export function openQuickDoor(
  kernel: Kernel,
  mounts: readonly Mount[],
  keepAliveMs: number,
  unsent: UnsentAnswers,
): QuickDoor {
  const byPath = new Map<string, Quick>();
  const connections = new WeakMap<Socket, QuickConnection<Quick>>();
  for (const mount of mounts) {
    const headers = Object.entries({ ...mount.dialect.headers, ...OWN_HEADERS });
    const whole = wholeAnswers(headers, keepAliveMs);
    for (const route of mount.routes) {
      const path = `${mount.prefix}${route.path}`;
      const start = `${path}?`;
      if (route.quick) byPath.set(start, { kernel, mount, route, path, start, headers: headers.flat(), whole, unsent });
    }
  }

  function quickOf(url: string, last: LastRequest<Quick>): Quick | undefined {
    if (last.target && url.startsWith(last.target.start)) return last.target;
    const quick = byPath.get(url.slice(0, url.indexOf('?') + 1));
    if (quick) last.target = quick;
    return quick;
  }

  function admit(url: string, way: QuickWay, request: IncomingMessage | undefined): boolean {
    const quick = quickOf(url, way.last);
    const shown = quick && way.last.shownBy(request);
    if (!shown) return false;
    const by: unknown = quick.mount.dialect.recall?.(kernel, shown);
    if (by === undefined) {
      way.last.forgetShown();
      return false;
    }
    return quick.route.quick!(new Exchange(quick, way, by, shown.requestId), url.slice(quick.start.length));
  }

  return {
    take(request, response) {
      if (request instanceof HandedRequest) return true;
      return request.method === 'GET' && admit(request.url!, new ResponseWay<Quick>(response), request);
    },
    watch(server) {
      const idle = new IdleConnections(keepAliveMs);
      server.on('close', () => idle.close());
      server.on('connection', (socket: Socket) => {
        const connection = QuickConnection.open<Quick>(socket, idle, admit);
        if (connection) connections.set(socket, connection);
      });
    },
    isHolding: (socket) => connections.get(socket)?.isHolding ?? false,
  };
}

/** One request and its answer. It may be held for a minute, by the ten thousand: it keeps as little as it can. */
class Exchange implements QuickCall<unknown>, Observed {
  readonly by: unknown;
  readonly began = performance.now();
  readonly #quick: Quick;
  readonly #way: QuickWay;
  #requestId: string | undefined;

  constructor(quick: Quick, way: QuickWay, by: unknown, givenId: string | undefined) {
    this.by = by;
    this.#quick = quick;
    this.#way = way;
    if (givenId !== undefined) this.#requestId = requestIdOf(givenId);
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

  get shownPath(): string {
    return this.#quick.path;
  }

  get product(): string {
    return this.#quick.mount.prefix || '/';
  }

  get route(): string {
    return this.#quick.route.path;
  }

  kept<Note>(make: () => Note): Note {
    return this.#way.last.note(make);
  }

  answer(body: string): void {
    this.#send({ status: 200, body, more: [] });
  }

  fail(error: unknown): void {
    this.#send(this.#refusalOf(error));
  }

  #refusalOf(error: unknown): Sent {
    const fault = faultOf(error);
    const { requestId, shownPath: path } = this;
    if (fault.kind === 'internal') this.kernel.log.error({ requestId, path, error }, 'request failed');
    const reply = this.#quick.mount.dialect.failure(fault);
    const more = Object.entries({ ...reply.headers, ...fault.headers }).flat();
    return { status: reply.status, body: asciiJson(JSON.stringify(reply.body)), more };
  }

  onHangUp(held: { leave(): void }): void {
    this.#way.onHangUp(held);
  }

  #send(sent: Sent): void {
    const way = this.#way;
    const { kernel, whole, unsent, mount } = this.#quick;
    if (way.isGone) return noteRequest(kernel, this, CLIENT_LEFT);
    const isWhole = sent.status === 200 && !kernel.lifecycle.draining.aborted && sent.body.length <= LARGE_BYTES;
    if (isWhole && way.write(whole(this.requestId, sent.body))) return noteRequest(kernel, this, sent.status);
    const response = way.response();
    let left = sent;
    try {
      if (sent.body.length > LARGE_BYTES) unsent.hold(response, mount.dialect.limitKey(this.by), sent.body.length);
    } catch (error) {
      left = this.#refusalOf(error);
    }
    this.#write(response, left);
    noteRequest(kernel, this, left.status);
  }

  #write(response: ServerResponse, { status, body, more }: Sent): void {
    const own = ['X-Request-Id', this.requestId, 'Content-Length', String(body.length)];
    // A client that keeps the connection would keep the drain waiting.
    if (this.kernel.lifecycle.draining.aborted) own.push('Connection', 'close');
    response.writeHead(status, this.#quick.headers.concat(more, own));
    if (body.length > LARGE_BYTES) sendPieces(response, Buffer.from(body, 'latin1'));
    else response.end(body, 'latin1');
  }
}

/** The body is ASCII; the headers are names and values in turn. */
type Sent = { readonly status: number; readonly body: string; readonly more: readonly string[] };
