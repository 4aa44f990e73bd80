/** One request of a route, as its steps and its function see it. What it says is read from Koa's context when it is asked for. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { Tenant } from '../actor/address';
import type { Party } from '../gate';
import type { IncomingFile, Spool } from '../upload-spool';
import { stateOf } from './access-log';
import type { Incoming, Origin } from './incoming';

const NO_QUERY: Incoming['query'] = {};
const NO_FILES: readonly IncomingFile[] = [];
const NO_BYTES = Buffer.alloc(0);

export class RequestContext implements Incoming {
  readonly pathParams: Incoming['pathParams'];
  body: unknown = {};
  bytes: Buffer = NO_BYTES;
  files = NO_FILES;
  /** Who calls, once they have shown it; null where anybody may. */
  by: unknown = null;
  /** Whose organisation or company the caller belongs to, where there is one. */
  tenant: Tenant | undefined;
  /** Decoded, once the body has been read. */
  params: unknown = undefined;
  /** Takes in the files of a form, where the route wants them. */
  spool: Spool | undefined;
  readonly #ctx: Context;
  readonly #originOf: (ctx: Context) => Origin;
  #origin: Origin | undefined;
  #caller: string | undefined;

  constructor(ctx: Context, originOf: (ctx: Context) => Origin) {
    this.#ctx = ctx;
    this.#originOf = originOf;
    // The router has put them there.
    this.pathParams = ctx['params'] as Incoming['pathParams'];
  }

  get request(): IncomingMessage {
    return this.#ctx.req;
  }

  get response(): ServerResponse {
    return this.#ctx.res;
  }

  get id(): string {
    return stateOf(this.#ctx).requestId;
  }

  get method(): string {
    return this.#ctx.method;
  }

  get path(): string {
    return this.#ctx.path;
  }

  get search(): string {
    return this.#ctx.search;
  }

  get query(): Incoming['query'] {
    return this.search === '' ? NO_QUERY : this.#ctx.query;
  }

  header(name: string): string {
    return this.#ctx.get(name);
  }

  get host(): string {
    return this.#from.host;
  }

  get ip(): string {
    return this.#from.ip;
  }

  get isSecure(): boolean {
    return this.#from.isSecure;
  }

  /** Whose answers and turns are counted together: an account's, or an address's. */
  get caller(): string {
    return this.#caller ?? `address:${this.ip}`;
  }

  set caller(caller: string) {
    this.#caller = caller;
  }

  /** As a gate knows it. */
  get party(): Party {
    const { response } = this;
    // Tenants take turns, and callers within theirs: many users of one are no reason for those of another to wait.
    return { caller: this.caller, address: this.tenant ?? this.ip, isGone: () => response.destroyed };
  }

  get #from(): Origin {
    return (this.#origin ??= this.#originOf(this.#ctx));
  }
}

/** The first step of a route puts it there. */
export const requestContextOf = (ctx: Context): RequestContext => (ctx.state as { request: RequestContext }).request;
