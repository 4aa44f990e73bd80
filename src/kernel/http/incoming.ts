/** A request as routes see it: plain values, nothing of Koa. */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { addressReader, listed } from '../client-address';
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
  /** Whether the client speaks TLS, as far as a trusted proxy says so. */
  readonly isSecure: boolean;
  readonly pathParams: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Empty until the body has been read, which is after authentication. */
  readonly body: unknown;
  /** The body as it came, unpacked, for routes that take it raw: what a signature is over. */
  readonly bytes: Buffer;
  /** Of a multipart form, for routes that take files. Gone once the request is answered. */
  readonly files: readonly IncomingFile[];
  header(name: string): string;
}

/** Whether the headers announce a body, which may still be an empty one. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** Where a request comes from and whom it asked for. */
export interface Origin {
  readonly ip: string;
  /** As the client wrote it, perhaps with a port. */
  readonly host: string;
  readonly isSecure: boolean;
}

/** X-Forwarded-For is believed as far as proxies we know wrote it, X-Forwarded-Host and -Proto only from such a one. */
export function originReader(trusted: readonly string[]): (ctx: Context) => Origin {
  const addressOf = addressReader(trusted);
  return (ctx) => {
    const { ip, isProxied } = addressOf(ctx.req);
    const isSecure = isProxied && listed(ctx.get('x-forwarded-proto'))[0] === 'https';
    return { ip, isSecure, host: (isProxied && listed(ctx.get('x-forwarded-host'))[0]) || ctx.host };
  };
}
