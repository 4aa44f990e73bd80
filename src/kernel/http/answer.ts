/** One request's way through a mounted route: authenticate, count, read, decode, run, answer. */
import type { Context } from 'koa';
import { z } from 'zod';
import { Fault } from '../fault';
import type { Kernel } from '../kernel';
import type { Mount } from '../product';
import type { Dialect, Reply } from './dialect';
import { faultOf } from './faults';
import type { Body, FileWish } from './body';
import { openSpool } from './files';
import { incomingOf, NO_BODY, type Origin } from './incoming';
import { Download, Outgoing } from './outgoing';
import { readIssues } from './params';
import type { RateLimit } from './rate-limit';
import type { Route } from './route';

export interface Door {
  readonly kernel: Kernel;
  readonly limit: RateLimit;
  originOf(ctx: Context): Origin;
  readBody(ctx: Context, wish?: FileWish): Promise<Body>;
  readRawBody(ctx: Context): Promise<Body>;
}

type AnyRoute = Mount['routes'][number];
type AnyDialect = Mount['dialect'];

/** Makes the Koa handler of a route. Its schema is compiled once, not per request. */
export function answerWith(door: Door, dialect: AnyDialect, route: AnyRoute): (ctx: Context) => Promise<void> {
  const schema = dialect.refusesUnknownParams === true ? z.strictObject(route.params) : z.object(route.params);
  return async (ctx) => {
    ctx.state['route'] = route.path;
    try {
      const reply = route.fileLimitBytes > 0 ? runWithFiles : run;
      send(ctx, dialect, await reply(ctx, door, dialect, route, schema));
    } catch (error) {
      sendFault(ctx, door.kernel, dialect, error);
    }
  };
}

// oxlint-disable-next-line max-params -- the parts of one request
async function run(
  ctx: Context,
  door: Door,
  dialect: AnyDialect,
  route: AnyRoute,
  schema: z.ZodObject,
  wish?: FileWish,
): Promise<Reply> {
  const { kernel } = door;
  const origin = door.originOf(ctx);
  const by: unknown = route.authenticated
    ? await dialect.authenticate(kernel, incomingOf(ctx, origin, NO_BODY), route)
    : null;
  if (route.limited) ctx.set(await door.limit.count(dialect.limitKey(by)));
  const body = route.rawBody ? await door.readRawBody(ctx) : await door.readBody(ctx, wish);
  const incoming = incomingOf(ctx, origin, body);
  const params = decode(schema, dialect, dialect.rawParams(incoming));
  let signal: AbortSignal | undefined;
  const value = await route.run({
    kernel,
    by,
    incoming,
    params: params as never,
    // Made only for those who wait: most requests never look at it.
    get signal() {
      return (signal ??= AbortSignal.any([kernel.lifecycle.draining, hangUp(ctx)]));
    },
  } as Parameters<Route<never>['run']>[0]);
  if (value instanceof Download) return value;
  if (!(value instanceof Outgoing)) return dialect.success(value, route);
  const reply = dialect.success(value.value, { ...route, status: value.status ?? route.status });
  return { ...reply, headers: { ...reply.headers, ...value.headers } };
}

/** Files lie on disk until the route is done with them. */
// oxlint-disable-next-line max-params -- the parts of one request
async function runWithFiles(
  ctx: Context,
  door: Door,
  dialect: AnyDialect,
  route: AnyRoute,
  schema: z.ZodObject,
): Promise<Reply> {
  const spool = openSpool(route.fileLimitBytes);
  try {
    return await run(ctx, door, dialect, route, schema, { limitBytes: route.fileLimitBytes, spool });
  } finally {
    await spool.discard();
  }
}

function decode(schema: z.ZodObject, dialect: AnyDialect, raw: Record<string, unknown>): unknown {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  throw dialect.invalidParams(readIssues(result.error), raw);
}

function hangUp(ctx: Context): AbortSignal {
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort());
  return gone.signal;
}

function send(ctx: Context, dialect: Dialect<unknown>, reply: Reply): void {
  ctx.status = reply.status;
  ctx.set({ ...dialect.headers, ...reply.headers });
  if (reply instanceof Download) {
    ctx.body = reply.body;
    ctx.set('Content-Type', reply.type);
    return;
  }
  if (reply.body === undefined) {
    ctx.body = null;
    ctx.status = reply.status;
    return;
  }
  ctx.body = JSON.stringify(reply.body);
  ctx.type = 'application/json';
}

/** The outermost catch of every product path: known trouble is an answer, unknown trouble is also a line in the log. */
export function sendFault(ctx: Context, kernel: Kernel, dialect: Dialect<unknown>, error: unknown): void {
  const fault = faultOf(error);
  const request = { requestId: ctx.state['requestId'] as string, method: ctx.method, path: ctx.path };
  if (fault.kind === 'internal') kernel.log.error({ ...request, error }, 'request failed');
  else if (fault.kind === 'unavailable') kernel.log.warn({ ...request, error }, 'request refused');
  const reply = dialect.failure(fault);
  send(ctx, dialect, { ...reply, headers: { ...reply.headers, ...fault.headers } });
}

/** A path nobody serves, or one that is served by other methods. */
export function sendUnrouted(
  ctx: Context,
  kernel: Kernel,
  dialect: Dialect<unknown>,
  allowed: readonly string[],
): void {
  if (ctx.method === 'OPTIONS' && allowed.length > 0) {
    ctx.set({ ...dialect.headers, Allow: allowed.join(', ') });
    ctx.status = 204;
    return;
  }
  const fault =
    allowed.length > 0
      ? new Fault('wrong-method', 'Method Not Allowed', {
          fields: { allowed_methods: allowed },
          headers: { Allow: allowed.join(', ') },
        })
      : new Fault('missing', `There is nothing at ${ctx.path.slice(0, 200)}`, { code: 'NOT_FOUND' });
  sendFault(ctx, kernel, dialect, fault);
}
