/** Puts the products' routes behind Koa middlewares, each answering in the dialect of the path it lies under. */
import type { Context, Middleware } from 'koa';
import type { Mount } from '../product';
import { answerWith, type Answer, type Door } from './answer';
import { openRouting, type Routing } from './routing';
import { sendUnrouted } from './unrouted';

interface Served {
  readonly mount: Mount;
  readonly routing: Routing<Answer>;
}

export interface Mounted {
  /** Answers whatever a route is for. */
  readonly routed: Middleware;
  /** Refuses the rest of what lies under a mount. */
  readonly unrouted: Middleware;
}

export function serveMounts(door: Door, mounts: readonly Mount[]): Mounted {
  // The longest prefix first: a path belongs to the most particular product.
  const served = [...mounts]
    .sort((a, b) => b.prefix.length - a.prefix.length)
    .map((mount): Served => ({ mount, routing: openRouting(mount, (route) => answerWith(door, mount, route)) }));
  const servedAt = (path: string) => served.find(({ mount }) => isUnder(path, mount.prefix));

  return {
    routed(ctx: Context, next) {
      const { path } = ctx;
      const found = servedAt(path)?.routing.find(ctx.method, path);
      return found ? found.target(ctx, path, found.pathParams) : next();
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
