/** Finds the client address of a request that came through trusted proxies. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Cache } from '../cache/cache';
import { networksOf } from '../outbound/addresses';

/** Looking an address up in the list of proxies is slow, so the results are cached. */
const ADDRESSES = { entries: 10_000, bytes: 4 * 1024 * 1024 };

/** `isProxied` says whether the peer is a trusted proxy. */
export function addressReader(
  trusted: readonly string[],
): (request: IncomingMessage) => { readonly ip: string; readonly isProxied: boolean } {
  const proxies = networksOf(trusted);
  const looked = new Cache<string, boolean>(ADDRESSES);
  const isProxy = (address: string): boolean => {
    let known = looked.get(address);
    if (known === undefined) {
      const family = isIP(address);
      // A forwarded header may contain anything, of any length.
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
      // A text that is not an address comes from no trusted proxy: the last trusted proxy counts as the client.
      if (isIP(hop) === 0) break;
      ip = hop;
    }
    return { ip, isProxied };
  };
}

/** The entries of a comma-separated header. */
export const listed = (header: string): string[] =>
  header
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

/** Unwraps IPv4-mapped IPv6 addresses. */
const plain = (address: string): string => address.replace(/^::ffff:/, '');
