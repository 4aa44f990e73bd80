/** A request as doors see it: plain values, nothing of Koa. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Context } from 'koa';
import type { Body } from './body';
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

/** Before the body has been read. */
export const NO_BODY: Body = { value: {}, files: [] };

/** Where a request comes from and whom it asked for. */
export interface Origin {
  readonly ip: string;
  /** As the client wrote it, perhaps with a port. */
  readonly host: string;
}

export function incomingOf(ctx: Context, { ip, host }: Origin, { value: body, files }: Body): Incoming {
  return {
    id: ctx.state['requestId'] as string,
    method: ctx.method,
    path: ctx.path,
    search: ctx.search,
    host,
    ip,
    pathParams: (ctx['params'] as Record<string, string> | undefined) ?? {},
    query: ctx.query,
    body,
    files,
    header: (name) => ctx.get(name),
  };
}

/** X-Forwarded-For is believed only as far as it was written by proxies we know, X-Forwarded-Host only from such a one. */
export function originReader(trusted: readonly string[]): (ctx: Context) => Origin {
  const addressOf = addressReader(trusted);
  return (ctx) => {
    const { ip, isProxied } = addressOf(ctx.req);
    return { ip, host: (isProxied && listed(ctx.get('x-forwarded-host'))[0]) || ctx.host };
  };
}

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
  const isProxy = (address: string) =>
    isIP(address) > 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

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
