/** The Koa application of a node: the middlewares that every request passes. Only the poll fast path runs before it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa, { type Middleware } from 'koa';
import { openGates } from './gates';
import type { Kernel } from '../kernel';
import type { Mount } from '../product';
import { openLocalRateLimit, openRateLimit } from '../admission/rate-limit';
import type { HttpSettings } from '../settings';
import { unroutedPathShower } from './shown-path';
import { openSpoolRoom } from '../files/upload-spool';
import { giveRequestId, logAccess, type AccessLog } from './access-log';
import { openBodyReaders } from './body';
import type { OriginReader } from './incoming';
import { openMounts } from './mounts';
import { openRoundTripCounter } from './round-trips';
import type { RouteParts } from './route-steps';
import { headerList, SECURITY_HEADERS, setHeaders } from './security-headers';
import type { UnsentAnswers } from './connection/unsent';

export interface AppParts {
  readonly kernel: Kernel;
  readonly settings: HttpSettings;
  readonly accessLog: AccessLog;
  readonly unsent: UnsentAnswers;
  readonly originOf: OriginReader;
  readonly mounts: readonly Mount[];
  /** Pages and probes. No route has the same path. */
  readonly pages: readonly Middleware[];
  /** Answers requests that match no route, with the products' pages. */
  readonly web?: Middleware;
  /** More middlewares, for every request that reaches the application. */
  readonly middlewares: readonly Middleware[];
  /** Whether a request came on a connection that was opened after the drain began. */
  readonly isLate: (request: IncomingMessage) => boolean;
}

export function openApp(parts: AppParts): Koa {
  const { kernel, accessLog, middlewares, pages, web, mounts, isLate } = parts;
  const { log, lifecycle } = kernel;
  const patterns = mounts.flatMap(({ prefix, routes }) => routes.map(({ path }) => `${prefix}${path}`));
  const products = openMounts(routePartsOf(parts), mounts, isLate);

  const showPath = unroutedPathShower(patterns);
  const { draining } = lifecycle;
  // One function: as several middlewares, these steps would take longer for their promises than for their work.
  const observe: Middleware = async (ctx, next) => {
    giveRequestId(ctx, showPath);
    setHeaders(ctx.res, SECURITY);
    try {
      await next();
    } catch (error) {
      products.answerError(ctx, error);
    }
    // A client that keeps its connection open would hold up the drain.
    if (draining.aborted) ctx.set('Connection', 'close');
    logAccess(ctx, accessLog, log);
  };

  const list: readonly Middleware[] = [
    observe,
    ...middlewares,
    ...pages,
    // Each route of a product authenticates, counts, reads the body, runs and renders. See route-steps.ts.
    products.serve,
    ...(web ? [web] : []),
  ];

  const app = new Koa();
  for (const middleware of list) app.use(middleware);
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (CLIENT_GONE.has(error.code ?? '')) log.debug({ error }, 'a client closed its connection');
    else log.error({ error }, 'could not write a response');
  });
  return app;
}

/** The error codes of a stream whose client is gone. */
const CLIENT_GONE: ReadonlySet<string> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

const SECURITY = headerList(SECURITY_HEADERS);

function routePartsOf({ kernel, settings, unsent, originOf }: AppParts): RouteParts {
  return {
    kernel,
    unsent,
    limit: settings.rateLimit && openRateLimit(kernel, 'api', settings.rateLimit),
    tenantLimit: settings.tenantRateLimit && openLocalRateLimit(settings.tenantRateLimit),
    roundTrips: openRoundTripCounter(kernel.settings, kernel.metrics),
    gates: openGates(kernel.settings.mysqlConnections),
    spoolRoom: openSpoolRoom(settings),
    hangUpOf: openHangUps(kernel.lifecycle.draining),
    originOf,
    bodyReaderFor: openBodyReaders(settings),
  };
}

/** Created once: an error per request would record a stack each time. */
const OVER = new DOMException('nobody waits any more', 'AbortError');

/**
 * Signals that nobody waits for a request any more, because its client hung up or the process drains, so that pending
 * work can stop. AbortSignal.any is no substitute: it keeps every aborted signal, and all that it references, for good.
 */
export function openHangUps(draining: AbortSignal): (response: ServerResponse) => AbortSignal {
  const waiting = new Set<AbortController>();
  draining.addEventListener('abort', () => {
    for (const each of waiting) each.abort(OVER);
  });
  return (response) => {
    // A response emits its close once, perhaps before anybody asks.
    if (draining.aborted || response.destroyed) return AbortSignal.abort(OVER);
    const gone = new AbortController();
    waiting.add(gone);
    response.once('close', () => {
      waiting.delete(gone);
      gone.abort(OVER);
    });
    return gone.signal;
  };
}
