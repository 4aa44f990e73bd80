/**
 * One request of a route, from its arrival to its answer. Most routes look at little of it, so the rest is read when it is
 * asked for; and what is unusual about it Koa reads, whose context is made only then.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { NO_BODY, type Body } from './body';
import type { IncomingFile } from '../upload-spool';
import type { Incoming, Origin } from './incoming';
import { requestIdOf, type ObservedRequest } from './access-log';
import type { PathParams } from './routing';

/** What the requests of a route have in common, as far as a visit has to know. */
export interface Visited {
  readonly product: string;
  readonly route: { readonly path: string };
  /** Without the secrets in it. */
  showPath(path: string): string;
  readonly door: {
    contextOf(request: IncomingMessage, response: ServerResponse): Context;
    originOf(visit: Visit): Origin;
  };
}

export interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  /** With its question mark; empty where there is none. */
  readonly search: string;
  readonly pathParams: PathParams;
}

const NO_QUERY: Incoming['query'] = {};

export class Visit implements Incoming, ObservedRequest {
  readonly began = performance.now();
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly pathParams: PathParams;
  readonly requestId: string;
  readonly #visited: Visited;
  #caller: string | undefined;
  #context: Context | undefined;
  #origin: Origin | undefined;
  #body = NO_BODY;

  constructor(visited: Visited, { request, response, path, search, pathParams }: Arrival) {
    this.request = request;
    this.response = response;
    this.method = request.method!;
    this.path = path;
    this.search = search;
    this.pathParams = pathParams;
    this.requestId = requestIdOf(request.headers['x-request-id'] as string | undefined);
    this.#visited = visited;
  }

  /** Once it has been read. */
  take(body: Body): void {
    this.#body = body;
  }

  /** Once the caller has shown who it is. */
  nameCaller(caller: string): void {
    this.#caller = caller;
  }

  /** Whose answers are counted together: an account's, or an address's. */
  get caller(): string {
    return this.#caller ?? `address:${this.ip}`;
  }

  get context(): Context {
    return (this.#context ??= this.#visited.door.contextOf(this.request, this.response));
  }

  get id(): string {
    return this.requestId;
  }

  get product(): string {
    return this.#visited.product;
  }

  get route(): string {
    return this.#visited.route.path;
  }

  get shownPath(): string {
    return this.#visited.showPath(this.path);
  }

  get host(): string {
    return this.#from.host;
  }

  get ip(): string {
    return this.#from.ip;
  }

  get query(): Incoming['query'] {
    return this.search === '' ? NO_QUERY : this.context.query;
  }

  get body(): unknown {
    return this.#body.value;
  }

  get files(): readonly IncomingFile[] {
    return this.#body.files;
  }

  header(name: string): string {
    return headerOf(this.request, name);
  }

  get #from(): Origin {
    return (this.#origin ??= this.#visited.door.originOf(this));
  }
}

/** Empty where it was not sent. One of them has two spellings. */
function headerOf({ headers }: IncomingMessage, name: string): string {
  const small = name.toLowerCase();
  const value = small === 'referer' || small === 'referrer' ? headers['referrer'] || headers.referer : headers[small];
  return (value as string | undefined) ?? '';
}
