/** A request as routes see it: plain values, independent of Koa. */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { addressReader, listed } from './client-address';
import type { IncomingFile } from '../files/upload-spool';

export interface Incoming {
  /** Node's request object, as the identity of a request. */
  readonly request: IncomingMessage;
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The raw query with its question mark; empty if there is none. */
  readonly search: string;
  readonly host: string;
  readonly ip: string;
  /** Whether the client uses TLS, as reported by a trusted proxy. */
  readonly isSecure: boolean;
  readonly pathParams: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Empty until the body has been read, which is after authentication. */
  readonly body: unknown;
  /** The raw bytes of the body, decompressed, for routes with a raw body: signatures cover them. */
  readonly bytes: Buffer;
  /** The files of a multipart form, for routes that take files. Deleted once the request is answered. */
  readonly files: readonly IncomingFile[];
  header(name: string): string;
}

/** Whether the headers announce a body, which may still be empty. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** Where a request comes from, and which host it names. */
export interface Origin {
  readonly ip: string;
  /** As the client wrote it, perhaps with a port. */
  readonly host: string;
  readonly isSecure: boolean;
}

/** Trusts X-Forwarded-For as far as trusted proxies wrote it, X-Forwarded-Host and -Proto only from such a proxy. */
export function originReader(trusted: readonly string[]): (ctx: Context) => Origin {
  const addressOf = addressReader(trusted);
  return (ctx) => {
    const { ip, isProxied } = addressOf(ctx.req);
    const isSecure = isProxied && listed(ctx.get('x-forwarded-proto'))[0] === 'https';
    return { ip, isSecure, host: (isProxied && listed(ctx.get('x-forwarded-host'))[0]) || ctx.get('host') };
  };
}
