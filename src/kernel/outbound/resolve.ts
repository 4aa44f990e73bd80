/** Resolves a host, and keeps only addresses that the server may connect to. */
import { Resolver } from 'node:dns/promises';
import { isIP, type BlockList } from 'node:net';
import { isIn, isPublicAddress } from './addresses';
import { OutboundError } from './outbound-error';

/** All addresses of a name. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface Target {
  /** As in a URL, without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
}

export interface Reach {
  readonly resolve: Resolve;
  /** Networks that are allowed although they are not public. */
  readonly allowed: BlockList;
}

/** Other low ports belong to protocols that must not be reached through HTTP. */
const LOW_PORTS = new Set([80, 443]);
const FIRST_HIGH_PORT = 1024;
/** They are tried one after the other, and a name may have thousands. */
const MAX_ADDRESSES = 8;

/** The addresses to connect to. The caller uses exactly these, so a later change of DNS has no effect. */
export async function reachable({ host, port }: Target, reach: Reach, signal: AbortSignal): Promise<string[]> {
  const found = isIP(host) === 0 ? await untilAborted(reach.resolve(host, signal), signal) : [host];
  if (found.length === 0) throw new OutboundError('unknown-host', `${host} has no address`);
  const may = found.filter((each) => mayConnect(each, port, reach.allowed));
  if (may.length === 0) throw new OutboundError('forbidden', `${host}:${port} is no public address`);
  return may.slice(0, MAX_ADDRESSES);
}

const mayConnect = (address: string, port: number, allowed: BlockList): boolean =>
  isIn(allowed, address) || ((port >= FIRST_HIGH_PORT || LOW_PORTS.has(port)) && isPublicAddress(address));

const LOOPBACK = ['127.0.0.1', '::1'];

/** Whether a target is certainly refused. For most names only DNS can tell, and it is asked when something is sent. */
export function isNeverReachable({ host, port }: Target, allowed: BlockList): boolean {
  const isLocal = /(?:^|\.)localhost$/i.test(host);
  const known = isLocal ? LOOPBACK : isIP(host) === 0 ? undefined : [host];
  return known !== undefined && !known.some((address) => mayConnect(address, port, allowed));
}

/** A resolver need not support the signal. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

const TRIES = 2;
const TRY_MS = 2000;

/** Asks the name servers directly, without hosts file and search domains, so that internal names do not resolve. */
export const resolveByDns: Resolve = async (host, signal) => {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const asked = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return asked.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** Names in the table come first; the other resolver handles the rest. */
export function resolveByTable(table: Readonly<Record<string, string>>, otherwise: Resolve): Resolve {
  return async (host, signal) => {
    const known = Object.hasOwn(table, host) ? table[host] : undefined;
    return known === undefined ? otherwise(host, signal) : [known];
  };
}
