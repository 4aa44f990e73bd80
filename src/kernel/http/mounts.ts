/** Mounts the products: a router for each product's routes, and error responses in its wire format. */
import type { IncomingMessage } from 'node:http';
import Router, { type RouterMiddleware } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { Fault } from '../fault';
import { byFirstWord, isUnder } from './path-words';
import type { Mount } from '../product';
import { stateOf } from './access-log';
import { replyToFault, shuttingDown } from './faults';
import { render } from './render';
import type { RouteFacts } from './route';
import { openRoute, type RouteParts } from './route-steps';
import { headerList, setHeaders } from './security-headers';

export interface Mounts {
  /** Answers an error of a later middleware in the wire format of the product that the path belongs to. */
  readonly answerError: (ctx: Context, error: unknown) => void;
  /** Routes a request to the product that its path belongs to. Behind paths without a prefix come the pages. */
  readonly serve: Middleware;
}

export function openMounts(
  parts: RouteParts,
  mounts: readonly Mount[],
  isLate: (request: IncomingMessage) => boolean,
): Mounts {
  const { log, lifecycle } = parts.kernel;
  // The longest prefix first: a path belongs to the most specific product.
  const products = [...mounts]
    .sort((a, b) => b.prefix.length - a.prefix.length)
    .map((mount) => ({
      mount,
      headers: headerList(mount.wireFormat.headers),
      dispatcherOf: openDispatchers(parts, mount),
    }));
  const productAt = (path: string) => products.find(({ mount }) => isUnder(path, mount.prefix));

  return {
    answerError(ctx, error) {
      // A client that hangs up amid its body is not our problem; what fails after that is.
      if (isOver(ctx) && !ctx.req.complete) return;
      const { requestId, showPath } = stateOf(ctx);
      const wireFormat = productAt(ctx.path)?.mount.wireFormat;
      // This process serves only pages, so there is no wire format for errors.
      if (!wireFormat) {
        log.error({ requestId, error }, 'request failed');
        return render(ctx, { status: 500, body: { error: 'Internal server error' } });
      }
      const request = { requestId, method: ctx.method, shownPath: showPath(ctx.path) };
      ctx.set(wireFormat.headers);
      render(ctx, replyToFault(log, wireFormat, error, request));
      if (wireFormat.isFromPage?.(ctx.req) === true) ctx.remove('WWW-Authenticate');
    },
    serve(ctx, next) {
      const { path } = ctx.request;
      const found = productAt(path);
      if (!found) return next();
      const { mount, headers, dispatcherOf } = found;
      stateOf(ctx).product = mount.prefix || '/';
      if (isLate(ctx.req)) throw shuttingDown();
      setHeaders(ctx.res, headers);
      return dispatcherOf(path)(ctx, async () => {
        if (mount.prefix === '' && matchedBy(ctx).length === 0) await next();
        if (ctx.status === 404) refuseUnrouted(ctx, lifecycle.draining.aborted);
      });
    },
  };
}

/** The router of a path. If several routes match, one without parameters comes first, then the first in the list. */
function openDispatchers(parts: RouteParts, mount: Mount): (path: string) => Middleware {
  const hasParams = ({ path }: RouteFacts) => /[:*({]/.test(path);
  const served = [...mount.routes]
    .sort((a, b) => Number(hasParams(a)) - Number(hasParams(b)))
    .map((route) => ({ path: route.path, method: route.method, step: openRoute(parts, mount, route) }));
  return byFirstWord(mount.prefix.length, served, (some) => {
    const router = new Router(mount.prefix === '' ? {} : { prefix: mount.prefix });
    for (const { path, method, step } of some) router[method](path, step as unknown as RouterMiddleware);
    return router.routes() as unknown as Middleware;
  });
}

/** The client is gone, or the server itself has answered that its body is broken or late. */
const isOver = ({ req: request, res: response }: Context): boolean => request.socket.destroyed || response.headersSent;

/** The router records the routes that match the path, whatever their methods. */
const matchedBy = (ctx: Context) => (ctx['matched'] ?? []) as readonly { readonly methods: readonly string[] }[];

function refuseUnrouted(ctx: Context, isDraining: boolean): void {
  const allowed = [...new Set(matchedBy(ctx).flatMap(({ methods }) => methods))].sort();
  if (ctx.method === 'OPTIONS' && allowed.length > 0) {
    ctx.set('Allow', allowed.join(', '));
    ctx.status = 204;
    return;
  }
  if (isDraining) throw shuttingDown();
  if (allowed.length > 0) {
    throw new Fault('wrong-method', 'Method Not Allowed', {
      fields: { allowed_methods: allowed },
      headers: { Allow: allowed.join(', ') },
    });
  }
  const path = stateOf(ctx).showPath(ctx.path).slice(0, 200);
  throw new Fault('missing', `There is nothing at ${path}`, { code: 'NOT_FOUND' });
}
