/** Finds for each request the route that answers it, in the dialect of the path it lies under, before Koa sees it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Mount } from '../product';
import { answer, servingOf, type Door, type Serving } from './answer';
import { openRouting, type Routing } from './routing';
import { sendUnrouted } from './unrouted';

interface Served {
  readonly mount: Mount;
  readonly routing: Routing<Serving>;
}

export interface Mounted {
  /** Answers whatever a route is for, and says whether one is. */
  readonly routed: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Refuses the rest of what lies under a mount. */
  readonly unrouted: Middleware;
}

/** After these, a path or a query may not be what it seems to be. */
const UNUSUAL = /[\t\n\f\r #\u00a0\ufeff]/;

export function serveMounts(door: Door, mounts: readonly Mount[]): Mounted {
  // The longest prefix first: a path belongs to the most particular product.
  const served = [...mounts]
    .sort((a, b) => b.prefix.length - a.prefix.length)
    .map((mount): Served => ({ mount, routing: openRouting(mount, (route) => servingOf(door, mount, route)) }));
  const servedAt = (path: string) => served.find(({ mount }) => isUnder(path, mount.prefix));

  return {
    routed(request, response) {
      const url = request.url!;
      let path = url;
      let search = '';
      if (url[0] !== '/' || UNUSUAL.test(url)) ({ path, search } = door.contextOf(request, response));
      else {
        const mark = url.indexOf('?');
        if (mark !== -1) path = url.slice(0, mark);
        // A question mark alone asks for nothing.
        if (mark !== -1 && mark < url.length - 1) search = url.slice(mark);
      }
      const found = servedAt(path)?.routing.find(request.method!, path);
      if (!found) return false;
      void answer(found.target, { request, response, path, search, pathParams: found.pathParams });
      return true;
    },
    async unrouted(ctx: Context, next) {
      const found = servedAt(ctx.path);
      if (!found) return next();
      ctx.state['product'] = found.mount.prefix || '/';
      return sendUnrouted(ctx, door.kernel, found.mount, found.routing.allowed(ctx.path));
    },
  };
}

/** Written so that it makes no text of its own: it is asked for every request and every mount. */
function isUnder(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (prefix === '' || path.length === prefix.length || path[prefix.length] === '/');
}
