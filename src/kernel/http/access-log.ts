/** Gives every request an id, a log line and a measurement. Query strings are not logged: they hold keys. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Kernel } from '../kernel';
import { requestLog, type Log } from '../log';

/** Never sent: the status that proxies log for a client that hung up before its response. */
export const CLIENT_LEFT = 499;

const SAFE_ID = /^[\w.:-]{1,64}$/;

/** A harmless id from the client is kept. */
export const requestIdOf = (given: string | undefined): string =>
  given !== undefined && SAFE_ID.test(given) ? given : randomUUID();

export interface ObservedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The path as the log may show it. */
  readonly shownPath: string;
  readonly product: string;
  readonly route: string;
  /** By `performance.now()`. */
  readonly began: number;
  /** Whether such requests wait by design and would flood the log: their successes are logged at debug level. */
  readonly isFrequent: boolean;
}

export interface AccessLog {
  /** Logs and measures a finished request. */
  note(request: ObservedRequest, status: number): void;
}

export function openAccessLog({ log, metrics }: Pick<Kernel, 'log' | 'metrics'>): AccessLog {
  const lines = requestLog(log);
  return {
    note({ requestId, method, shownPath: path, product, route, began, isFrequent }, status) {
      const ms = performance.now() - began;
      const labels = { product, route, method, status };
      if (isFrequent) metrics.heldRequest(labels);
      else metrics.request(labels, ms / 1000);
      const level = isFrequent && status < 400 ? 'debug' : 'info';
      lines[level]({ requestId, method, path, status, ms: Math.round(ms * 100) / 100 }, 'request');
    },
  };
}

/** What middlewares share about a request, in `ctx.state`. */
export interface RequestState {
  requestId: string;
  /** By `performance.now()`. */
  began: number;
  product: string;
  route: string;
  isFrequent: boolean;
  /** Masks the secrets in a path. */
  showPath: (path: string) => string;
}

export const stateOf = (ctx: Context): RequestState => ctx.state as RequestState;

/** Until a route is found, `showPath` masks what may be a secret in the path. */
export function giveRequestId(ctx: Context, showPath: (path: string) => string): void {
  const requestId = requestIdOf(ctx.request.get('x-request-id'));
  const began = performance.now();
  const state: RequestState = { requestId, began, product: 'kernel', route: 'none', isFrequent: false, showPath };
  ctx.state = state;
  ctx.res.setHeader('X-Request-Id', requestId);
}

/** Logs a request that has passed the application. */
export function logAccess(ctx: Context, accessLog: AccessLog, log: Log): void {
  const { req: request, res: response } = ctx;
  const { requestId, began, product, route, isFrequent, showPath } = stateOf(ctx);
  const observed = {
    requestId,
    began,
    product,
    route,
    isFrequent,
    method: request.method!,
    shownPath: showPath(ctx.request.path),
  };
  const body: unknown = ctx.response.body;
  if (response.headersSent) return accessLog.note(observed, response.statusCode);
  if (request.socket.destroyed) return accessLog.note(observed, CLIENT_LEFT);
  if (!(body instanceof Readable)) return accessLog.note(observed, response.statusCode);
  // The outcome of a stream is known only when it has ended.
  response.once('close', () => {
    const { errored: error } = body;
    const isOurs = error !== null && (error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE';
    if (isOurs) log.error({ requestId, path: observed.shownPath, error }, 'a download was interrupted');
    accessLog.note(observed, response.writableFinished ? response.statusCode : isOurs ? 500 : CLIENT_LEFT);
  });
}
