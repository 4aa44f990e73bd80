/** One request's way through a mounted route: authenticate, count, read, decode, run, answer. */
import type { Context } from 'koa';
import { z } from 'zod';
import type { Kernel } from '../kernel';
import type { Mount } from '../product';
import type { Body, FileWish } from './body';
import type { Dialect, Reply } from './dialect';
import { faultOf } from './faults';
import { openSpool } from './files';
import { hangUpOf } from './hang-up';
import { Arrived, type Incoming, type Origin } from './incoming';
import { noteRequest, requestIdOf } from './observe';
import { Download, Outgoing } from './outgoing';
import { readIssues } from './params';
import type { RateLimit } from './rate-limit';
import { openReplies, type Headers } from './reply';
import type { Call } from './route';
import type { PathParams } from './routing';

export interface Door {
  readonly kernel: Kernel;
  /** None where nobody is limited. */
  readonly limit: RateLimit | null;
  originOf(ctx: Context): Origin;
  readBody(ctx: Context, wish?: FileWish): Body | Promise<Body>;
  readRawBody(ctx: Context): Promise<Body>;
}

type AnyRoute = Mount['routes'][number];
type AnyDialect = Mount['dialect'];
export type Answer = (ctx: Context, path: string, pathParams: PathParams) => Promise<void>;

/** What the requests of a route have in common. */
interface Serving {
  readonly door: Door;
  readonly dialect: AnyDialect;
  readonly route: AnyRoute;
  readonly schema: z.ZodObject;
}

interface Visit {
  readonly ctx: Context;
  readonly incoming: Arrived;
  /** How many requests are left, which a refusal tells too. */
  counted: Headers | undefined;
}

/** Makes the answerer of a route. Its schema is compiled once, not per request. */
export function answerWith(door: Door, { prefix, dialect }: Mount, route: AnyRoute): Answer {
  const schema = dialect.refusesUnknownParams === true ? z.strictObject(route.params) : z.object(route.params);
  const serving: Serving = { door, dialect, route, schema };
  const { kernel } = door;
  const replies = openReplies(kernel, dialect);
  const run = route.fileLimitBytes > 0 ? runWithFiles : runRoute;
  const product = prefix || '/';

  return async (ctx, path, pathParams) => {
    const began = performance.now();
    const requestId = requestIdOf(ctx.req.headers['x-request-id'] as string | undefined);
    const request = { requestId, method: ctx.method, path, product, route: route.path, began };
    const incoming = new Arrived({ id: requestId, ctx, path, pathParams, door });
    const visit: Visit = { ctx, incoming, counted: undefined };
    let reply: Reply;
    try {
      reply = await run(serving, visit);
    } catch (error) {
      reply = replyToFault(kernel, dialect, error, request);
    }
    noteRequest(kernel, request, reply.status);
    replies.write(ctx, { requestId, reply, counted: visit.counted });
  };
}

async function runRoute(serving: Serving, visit: Visit, wish?: FileWish): Promise<Reply> {
  const { door, dialect, route, schema } = serving;
  const { ctx, incoming } = visit;
  const { kernel } = door;
  const by: unknown = route.authenticated ? await dialect.authenticate(kernel, incoming, route) : null;
  if (route.limited && door.limit) visit.counted = await door.limit.count(dialect.limitKey(by));
  const reading = route.rawBody ? door.readRawBody(ctx) : door.readBody(ctx, wish);
  incoming.take(reading instanceof Promise ? await reading : reading);
  const params = decode(schema, dialect, dialect.rawParams(incoming));
  const value = await route.run(new RouteCall({ kernel, by: by as never, incoming, params: params as never }, ctx));
  if (value instanceof Download) return value;
  if (!(value instanceof Outgoing)) return dialect.success(value, route);
  const reply = dialect.success(value.value, { ...route, status: value.status ?? route.status });
  return { ...reply, headers: { ...reply.headers, ...value.headers } };
}

/** Files lie on disk until the route is done with them. */
async function runWithFiles(serving: Serving, visit: Visit): Promise<Reply> {
  const { fileLimitBytes: limitBytes } = serving.route;
  const spool = openSpool(limitBytes);
  try {
    return await runRoute(serving, visit, { limitBytes, spool });
  } finally {
    await spool.discard();
  }
}

function decode(schema: z.ZodObject, dialect: AnyDialect, raw: Record<string, unknown>): unknown {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  throw dialect.invalidParams(readIssues(result.error), raw);
}

type Known = Omit<Call<never, never>, 'signal'>;

class RouteCall implements Call<never, never> {
  readonly kernel: Kernel;
  readonly by: never;
  readonly incoming: Incoming;
  readonly params: never;
  readonly #ctx: Context;
  #signal: AbortSignal | undefined;

  constructor({ kernel, by, incoming, params }: Known, ctx: Context) {
    this.kernel = kernel;
    this.by = by;
    this.incoming = incoming;
    this.params = params;
    this.#ctx = ctx;
  }

  /** Made only for those who wait: most requests never look at it. */
  get signal(): AbortSignal {
    return (this.#signal ??= hangUpOf(this.kernel, this.#ctx.res));
  }
}

interface Asked {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
}

/** The outermost catch of every product path: known trouble is an answer, unknown trouble is also a line in the log. */
// oxlint-disable-next-line max-params -- whose, how, what and of which request
export function replyToFault(
  { log }: Kernel,
  dialect: Dialect<unknown>,
  error: unknown,
  { requestId, method, path }: Asked,
): Reply {
  const fault = faultOf(error);
  if (fault.kind === 'internal') log.error({ requestId, method, path, error }, 'request failed');
  else if (fault.kind === 'unavailable') log.warn({ requestId, method, path, error }, 'request refused');
  const reply = dialect.failure(fault);
  return { ...reply, headers: { ...reply.headers, ...fault.headers } };
}
