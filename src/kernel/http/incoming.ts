/** A request as routes see it: plain values, independent of Koa. */
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { addressReader, listed } from './client-address';
import { rememberByConnection } from './connection/remembered';
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
export function originReader(trusted: readonly string[]): OriginReader {
  const addressOf = addressReader(trusted);
  function read(request: IncomingMessage): Origin {
    const { ip, isProxied } = addressOf(request);
    const isSecure = isProxied && listed(headerOf(request, 'x-forwarded-proto'))[0] === 'https';
    const forwarded = isProxied ? listed(headerOf(request, 'x-forwarded-host'))[0] : undefined;
    return { ip, isSecure, host: forwarded ?? headerOf(request, 'host') };
  }
  const readDirect = rememberByConnection((_host, request) => read(request));
  return (request) => (isForwarded(request) ? read(request) : readDirect(headerOf(request, 'host'), request));
}

const isForwarded = ({ headers }: IncomingMessage): boolean =>
  headers['x-forwarded-for'] !== undefined ||
  headers['x-forwarded-host'] !== undefined ||
  headers['x-forwarded-proto'] !== undefined;

export type OriginReader = (request: IncomingMessage) => Origin;

/** A header of the request; empty if there is none. */
export function headerOf({ headers }: IncomingMessage, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : (value?.join(', ') ?? '');
}

/** A request without a body that does not pass the Koa application. */
export function plainIncoming(request: IncomingMessage, id: string, origin: Origin): Incoming {
  const [path = '', search] = request.url!.split(/(?=\?)/, 2);
  return {
    request,
    id,
    method: request.method!,
    path,
    search: search ?? '',
    ...origin,
    pathParams: {},
    query: search === undefined ? {} : { ...parse(search.slice(1)) },
    body: {},
    bytes: Buffer.alloc(0),
    files: [],
    header: (name) => headerOf(request, name.toLowerCase()),
  };
}
