/** What is kept of every request: an id, a line in the log, a measurement. Query strings are left out: they hold keys. */
import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Kernel } from '../kernel';
import { requestLog } from '../log';

/** Never sent: the status that proxies note for a client that hung up before its answer. */
export const CLIENT_LEFT = 499;

const SAFE_ID = /^[\w.:-]{1,64}$/;

/** A harmless id that the client gave is kept. */
export const requestIdOf = (given: string | undefined): string =>
  given !== undefined && SAFE_ID.test(given) ? given : randomUUID();

export interface ObservedRequest {
  readonly requestId: string;
  readonly method: string;
  /** As the log may show it. */
  readonly shownPath: string;
  readonly product: string;
  readonly route: string;
  /** In milliseconds of the process. */
  readonly began: number;
}

export interface AccessLog {
  /** Writes the line and the measurement of a request that is over. */
  note(request: ObservedRequest, status: number): void;
}

export function openAccessLog({ log, metrics }: Pick<Kernel, 'log' | 'metrics'>): AccessLog {
  const lines = requestLog(log);
  return {
    note({ requestId, method, shownPath: path, product, route, began }, status) {
      const ms = performance.now() - began;
      metrics.request({ product, route, method, status }, ms / 1000);
      lines.info({ requestId, method, path, status, ms: Math.round(ms * 100) / 100 }, 'request');
    },
  };
}

/** For pages and probes; routes see to it themselves. */
export function observe(kernel: Kernel, accessLog: AccessLog, showPath: (path: string) => string): Middleware {
  return async (ctx, next) => {
    const began = performance.now();
    const requestId = requestIdOf(ctx.get('x-request-id'));
    ctx.state['requestId'] = requestId;
    const shownPath = (ctx.state['shownPath'] = showPath(ctx.path));
    ctx.set('X-Request-Id', requestId);
    try {
      await next();
    } catch (error) {
      // The products answer for themselves; this is for pages and probes.
      kernel.log.error({ requestId, error }, 'request failed');
      ctx.status = 500;
      ctx.body = { error: 'Internal server error' };
    }
    // A client that keeps the connection would keep the drain waiting.
    if (kernel.lifecycle.draining.aborted) ctx.set('Connection', 'close');
    const { route = 'none', product = 'kernel' } = ctx.state as { route?: string; product?: string };
    const { method, res: response } = ctx;
    // What the client got is known when it has it.
    response.once('close', () => {
      const status = response.headersSent ? response.statusCode : CLIENT_LEFT;
      accessLog.note({ requestId, method, shownPath, product, route, began }, status);
    });
  };
}
