/** A request as doors see it: plain values, nothing of Koa. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Context } from 'koa';
import { Cache } from '../cache';
import type { IncomingFile } from '../upload-spool';

export interface Incoming {
  /** Node's own, which tells requests apart. */
  readonly request: IncomingMessage;
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

/** X-Forwarded-For is believed only as far as it was written by proxies we know, X-Forwarded-Host only from such a one. */
export function originReader(trusted: readonly string[]): (visit: Reached) => Origin {
  const addressOf = addressReader(trusted);
  return (visit) => {
    const { ip, isProxied } = addressOf(visit.request);
    return { ip, host: (isProxied && listed(visit.header('x-forwarded-host'))[0]) || hostOf(visit) };
  };
}

interface Reached {
  readonly request: IncomingMessage;
  readonly context: Context;
  header(name: string): string;
}

/** More than one, or one with a name before it, is for Koa to make sense of. */
function hostOf(visit: Reached): string {
  const { host = '' } = visit.request.headers;
  return /[,@]/.test(host) ? visit.context.host : host;
}

/** The list itself is slow to ask. */
const ADDRESSES = { entries: 10_000, bytes: 4 * 1024 * 1024 };

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
  const looked = new Cache<string, boolean>(ADDRESSES);
  const isProxy = (address: string): boolean => {
    let known = looked.get(address);
    if (known === undefined) {
      const family = isIP(address);
      // A forwarded header may say anything, of any length.
      if (family === 0) return false;
      known = proxies.check(address, family === 6 ? 'ipv6' : 'ipv4');
      looked.set(address, known);
    }
    return known;
  };

  return ({ socket, headers }) => {
    const peer = plain(socket.remoteAddress ?? '');
    const isProxied = isProxy(peer);
    const hops = isProxied ? listed([headers['x-forwarded-for'] ?? ''].flat().join(',')) : [];
    let ip = peer;
    while (isProxy(ip) && hops.length > 0) {
      const hop = plain(hops.pop()!);
      // What is no address was written by nobody we know: the proxy is as far as we can see.
      if (isIP(hop) === 0) break;
      ip = hop;
    }
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
