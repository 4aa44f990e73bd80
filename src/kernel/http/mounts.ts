/** Puts the products' routes behind one Koa middleware, each answering in the dialect of the path it lies under. */
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Mount } from '../product';
import { answerWith, sendUnrouted, type Door } from './answer';

export function serveMounts(door: Door, mounts: readonly Mount[]): Middleware {
  // The longest prefix first: a path belongs to the most particular product.
  const served = [...mounts]
    .sort((a, b) => b.prefix.length - a.prefix.length)
    .map((mount) => ({ mount, router: routerOf(door, mount), plain: plainRoutes(door, mount) }));

  return async (ctx: Context, next) => {
    const found = served.find(({ mount }) => isUnder(ctx.path, mount.prefix));
    if (!found) return next();
    const { mount, router, plain } = found;
    ctx.state['product'] = mount.prefix || '/';
    const answer = plain.get(`${ctx.method} ${ctx.path}`);
    if (answer) return answer(ctx);
    const matched = router.match(ctx.path, ctx.method);
    if (matched.route) return router.routes()(ctx as never, next);
    const allowed = new Set(matched.path.flatMap((layer) => layer.methods));
    return sendUnrouted(ctx, door.kernel, mount.dialect, [...allowed].sort());
  };
}

function isUnder(path: string, prefix: string): boolean {
  return prefix === '' || path === prefix || path.startsWith(`${prefix}/`);
}

type Answer = (ctx: Context) => Promise<void>;

/** Routes whose path is one path are found without trying all the others; a router tries each, twice. */
function plainRoutes(door: Door, { prefix, dialect, routes }: Mount): ReadonlyMap<string, Answer> {
  // Of two with one path the first counts.
  const plain = routes.filter(({ path }) => !/[:*({]/.test(path)).reverse();
  return new Map(
    plain.map((route) => [`${route.method.toUpperCase()} ${prefix}${route.path}`, answerWith(door, dialect, route)]),
  );
}

function routerOf(door: Door, { prefix, dialect, routes }: Mount): Router {
  const router = new Router(prefix === '' ? {} : { prefix });
  for (const route of routes) router[route.method](route.path, answerWith(door, dialect, route) as never);
  return router;
}
