/** A request as doors see it: plain values, nothing of Koa. */
import { BlockList, isIP } from 'node:net';
import type { Context } from 'koa';
import type { Body } from './body';
import type { IncomingFile } from './files';

export interface Incoming {
  readonly id: string;
  readonly method: string;
  readonly path: string;
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

export function incomingOf(ctx: Context, ip: string, { value: body, files }: Body): Incoming {
  return {
    id: ctx.state['requestId'] as string,
    method: ctx.method,
    path: ctx.path,
    host: ctx.host,
    ip,
    pathParams: (ctx['params'] as Record<string, string> | undefined) ?? {},
    query: ctx.query,
    body,
    files,
    header: (name) => ctx.get(name),
  };
}

/** The client's address. X-Forwarded-For is believed only as far as it was written by proxies we know. */
export function clientAddress(trusted: readonly string[]): (ctx: Context) => string {
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  const isProxy = (address: string) =>
    isIP(address) > 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return (ctx) => {
    const hops = ctx
      .get('x-forwarded-for')
      .split(',')
      .map((hop) => hop.trim())
      .filter(Boolean);
    let address = plain(ctx.req.socket.remoteAddress ?? '');
    while (isProxy(address) && hops.length > 0) address = plain(hops.pop()!);
    return address;
  };
}

/** IPv4 written as IPv6 is still IPv4. */
const plain = (address: string): string => address.replace(/^::ffff:/, '');
