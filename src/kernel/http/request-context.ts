/**
 * One request of a route, as its steps and its function see it. Values are read lazily from Koa's request: its context
 * would look each of them up there by name, which takes several times as long.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { Tenant } from '../actor/address';
import type { Party } from '../admission/gate';
import type { IncomingFile, Spool } from '../files/upload-spool';
import { stateOf } from './access-log';
import type { Incoming, Origin, OriginReader } from './incoming';

const NO_QUERY: Incoming['query'] = {};
const NO_FILES: readonly IncomingFile[] = [];
const NO_BYTES = Buffer.alloc(0);

export class RequestContext implements Incoming {
  readonly pathParams: Incoming['pathParams'];
  body: unknown = {};
  bytes: Buffer = NO_BYTES;
  files = NO_FILES;
  /** The authenticated caller; null if the route is open to anybody. */
  by: unknown = null;
  /** The caller's tenant, if there is one. */
  tenant: Tenant | undefined;
  /** The decoded parameters, once the body has been read. */
  params: unknown = undefined;
  /** Takes in the files of a form, if the route takes files. */
  spool: Spool | undefined;
  readonly #ctx: Context;
  readonly #originOf: OriginReader;
  #origin: Origin | undefined;
  #caller: string | undefined;

  constructor(ctx: Context, originOf: OriginReader) {
    this.#ctx = ctx;
    this.#originOf = originOf;
    // Set by the router.
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
    return this.#ctx.req.method!;
  }

  get path(): string {
    return this.#ctx.request.path;
  }

  get search(): string {
    return this.#ctx.request.search;
  }

  get query(): Incoming['query'] {
    return this.search === '' ? NO_QUERY : this.#ctx.request.query;
  }

  header(name: string): string {
    return this.#ctx.request.get(name);
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

  /** The key for unread responses and turns: an account or an address. */
  get caller(): string {
    return this.#caller ?? `address:${this.ip}`;
  }

  set caller(caller: string) {
    this.#caller = caller;
  }

  /** The caller as a gate knows it. */
  get party(): Party {
    const { response } = this;
    // Tenants take turns, and callers take turns within their tenant: one tenant's many users do not delay another's.
    return { caller: this.caller, address: this.tenant ?? this.ip, isGone: () => response.destroyed };
  }

  get #from(): Origin {
    return (this.#origin ??= this.#originOf(this.#ctx.req));
  }
}
