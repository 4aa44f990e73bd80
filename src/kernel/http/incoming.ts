/** A request as doors see it: plain values, nothing of Koa. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Context } from 'koa';
import { BoundedMap } from '../bounded-map';
import { NO_BODY, type Body } from './body';
import type { IncomingFile } from './files';

export interface Incoming {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The query as it was written, with its question mark; empty where there is none. */
  readonly search: string;
  readonly host: string;
  readonly ip: string;
  readonly pathParams: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Empty until the body has been read, which is after authentication. */
  readonly body: unknown;
  /** Of a multipart form, for routes that take files. Gone once the request is answered. */
  readonly files: readonly IncomingFile[];
  header(name: string): string;
}

/** Where a request comes from and whom it asked for. */
export interface Origin {
  readonly ip: string;
  /** As the client wrote it, perhaps with a port. */
  readonly host: string;
}

interface Arrival {
  readonly id: string;
  readonly ctx: Context;
  readonly path: string;
  readonly pathParams: Readonly<Record<string, string>>;
  readonly door: { originOf(ctx: Context): Origin };
}

/** Most routes look at little of a request: the rest of it is read when it is asked for. */
export class Arrived implements Incoming {
  readonly #arrival: Arrival;
  #origin: Origin | undefined;
  #body = NO_BODY;

  /** Of its own, so that it can be taken out and passed on. */
  readonly header: (name: string) => string;

  constructor(arrival: Arrival) {
    this.#arrival = arrival;
    this.header = (name) => arrival.ctx.get(name);
  }

  /** Once it has been read. */
  take(body: Body): void {
    this.#body = body;
  }

  get id(): string {
    return this.#arrival.id;
  }

  get method(): string {
    return this.#arrival.ctx.method;
  }

  get path(): string {
    return this.#arrival.path;
  }

  get search(): string {
    return this.#arrival.ctx.search;
  }

  get host(): string {
    return this.#from.host;
  }

  get ip(): string {
    return this.#from.ip;
  }

  get pathParams(): Readonly<Record<string, string>> {
    return this.#arrival.pathParams;
  }

  get query(): Readonly<Record<string, unknown>> {
    return this.#arrival.ctx.query;
  }

  get body(): unknown {
    return this.#body.value;
  }

  get files(): readonly IncomingFile[] {
    return this.#body.files;
  }

  get #from(): Origin {
    return (this.#origin ??= this.#arrival.door.originOf(this.#arrival.ctx));
  }
}

/** X-Forwarded-For is believed only as far as it was written by proxies we know, X-Forwarded-Host only from such a one. */
export function originReader(trusted: readonly string[]): (ctx: Context) => Origin {
  const addressOf = addressReader(trusted);
  return (ctx) => {
    const { ip, isProxied } = addressOf(ctx.req);
    return { ip, host: (isProxied && listed(ctx.get('x-forwarded-host'))[0]) || ctx.host };
  };
}

/** The list itself is slow to ask. */
const MOST_ADDRESSES = 10_000;

/** The address a connection comes from, behind the proxies we know. */
export function addressReader(
  trusted: readonly string[],
): (request: IncomingMessage) => { readonly ip: string; readonly isProxied: boolean } {
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  const looked = new BoundedMap<string, boolean>(MOST_ADDRESSES);
  const isProxy = (address: string): boolean => {
    let known = looked.get(address);
    if (known === undefined) {
      known = isIP(address) > 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
      looked.set(address, known);
    }
    return known;
  };

  return ({ socket, headers }) => {
    const peer = plain(socket.remoteAddress ?? '');
    const isProxied = isProxy(peer);
    const hops = isProxied ? listed([headers['x-forwarded-for'] ?? ''].flat().join(',')) : [];
    let ip = peer;
    while (isProxy(ip) && hops.length > 0) ip = plain(hops.pop()!);
    return { ip, isProxied };
  };
}

const listed = (header: string): string[] =>
  header
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

/** IPv4 written as IPv6 is still IPv4. */
const plain = (address: string): string => address.replace(/^::ffff:/, '');
