/** The steps of a request through a route: authenticate, count, read and decode, run, render. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import { answerPathOf, type AnswerPath } from '../answer-path';
import type { Kernel } from '../kernel';
import type { Mount } from '../product';
import { routePathShower } from './shown-path';
import type { SpoolRoom } from '../files/upload-spool';
import { stateOf } from './access-log';
import type { BodyReader } from './body';
import type { Reply } from './wire-format';
import { takesChangeTurns, takesTurns, type Gates } from './gates';
import type { OriginReader } from './incoming';
import { Download, Outgoing } from './outgoing';
import { readIssues } from './params';
import type { LocalRateLimit, RateLimit } from '../admission/rate-limit';
import { render } from './render';
import { RequestContext } from './request-context';
import type { RoundTripCounter } from './round-trips';
import type { Call, RouteFacts } from './route';
import type { UnsentAnswers } from './connection/unsent';

/** What all routes of a node share. */
export interface RouteParts {
  readonly kernel: Kernel;
  readonly unsent: UnsentAnswers;
  /** Null if there is no limit. */
  readonly limit: RateLimit | null;
  /** For all users of a tenant together, on this node. */
  readonly tenantLimit: LocalRateLimit | null;
  /** Null if nobody counts. */
  readonly roundTrips: RoundTripCounter | null;
  readonly gates: Gates;
  readonly spoolRoom: SpoolRoom;
  readonly hangUpOf: (response: ServerResponse) => AbortSignal;
  readonly originOf: OriginReader;
  readonly bodyReaderFor: (route: RouteFacts, refusesBrokenText: boolean) => BodyReader;
}

type AnyRoute = Mount['routes'][number];
type AnyWireFormat = Mount['wireFormat'];

/** What a request passes after its first step. */
type Step = (ctx: Context, request: RequestContext) => Promise<void>;

/** One function for all steps. As a list of middlewares, they would take longer than most of them do. */
export function openRoute(parts: RouteParts, mount: Mount, route: AnyRoute): Middleware {
  const { wireFormat, prefix } = mount;
  const { kernel, originOf } = parts;
  const showPath = routePathShower(`${prefix}${route.path}`);
  const [limit, tenantLimit] = route.limited ? [parts.limit, parts.tenantLimit] : [null, null];
  const serve = admitting(parts, route, servingWith(parts, wireFormat, route));
  const count = parts.roundTrips?.({ product: prefix || '/', route: route.path, method: route.method.toUpperCase() });
  const pass = async (ctx: Context): Promise<void> => {
    const state = stateOf(ctx);
    state.route = route.path;
    state.isFrequent = route.isFrequent;
    state.showPath = showPath;
    const request = new RequestContext(ctx, originOf);
    if (route.authenticated) {
      // Uses only headers and query: missing credentials win over any mistake in the body.
      request.by = await wireFormat.authenticate(kernel, request, route);
      request.caller = wireFormat.limitKey(request.by);
      request.tenant = wireFormat.tenantOf?.(request.by);
    }
    const { by, tenant } = request;
    // Counted in memory, not in Redis: it keeps one tenant from occupying the node, and need not be exact.
    if (tenantLimit && tenant !== undefined && !tenantLimit.take(tenant)) await tenantLimit.count(tenant);
    if (limit) ctx.response.set({ ...(await limit.count(wireFormat.limitKey(by))) });
    await serve(ctx, request);
  };
  return count ? (ctx) => count(ctx, () => pass(ctx)) : pass;
}

/** Lets a request in to what reads its body and runs it. */
function admitting({ gates, spoolRoom }: RouteParts, route: AnyRoute, serve: Step): Step {
  if (route.fileLimitBytes > 0) {
    // Files stay on disk until the route is done with them.
    return async (ctx, request) => {
      const spool = spoolRoom.open(route.fileLimitBytes, () => request.caller);
      request.spool = spool;
      try {
        await serve(ctx, request);
      } finally {
        await spool.discard();
      }
    };
  }
  if (!takesTurns(route)) return serve;
  return (ctx, request) => {
    const { tenant, response } = request;
    if (tenant === undefined) return serve(ctx, request);
    const party = { caller: tenant, address: tenant, isGone: () => response.destroyed };
    return gates.tenants.through(party, () => serve(ctx, request));
  };
}

function servingWith(parts: RouteParts, wireFormat: AnyWireFormat, route: AnyRoute): Step {
  const { gates, bodyReaderFor } = parts;
  const { fileLimitBytes: limitBytes } = route;
  const schema = wireFormat.refusesUnknownParams === true ? z.strictObject(route.params) : z.object(route.params);
  const read = bodyReaderFor(route, wireFormat.refusesBrokenText === true);
  const run = runningInTurn(parts, route, runningWith(parts, wireFormat, route));
  return async (ctx, request) => {
    const { spool } = request;
    const { value, files, bytes } = spool
      ? await gates.uploads.through(request.party, async () => read(ctx, { limitBytes, spool }))
      : await read(ctx);
    request.body = value;
    request.files = files;
    if (bytes) request.bytes = bytes;
    const raw = wireFormat.rawParams(request);
    const result = schema.safeParse(raw);
    if (!result.success) throw wireFormat.invalidParams(readIssues(result.error), raw);
    request.params = result.data;
    await run(ctx, request);
  };
}

/** After the body has been read: a client that sends slowly holds no place. */
function runningInTurn({ kernel, unsent, gates }: RouteParts, route: AnyRoute, run: Step): Step {
  if (route.isExpensive) {
    // Prepared a few at a time, and not for callers that leave responses unread.
    return async (ctx, request) => {
      unsent.check(request.caller);
      return gates.expensive.through(request.party, () => run(ctx, request));
    };
  }
  if (!takesChangeTurns(route)) return run;
  return (ctx, request) => kernel.changes.through(request.party, () => run(ctx, request));
}

function runningWith(parts: RouteParts, wireFormat: AnyWireFormat, route: AnyRoute): Step {
  const { unsent } = parts;
  return async (ctx, request) => {
    const reply = await replyOf(wireFormat, route, await route.run(new RouteCall(parts, request)));
    render(ctx, reply, (bytes) => unsent.hold(ctx.res, request.caller, bytes));
  };
}

function replyOf(wireFormat: AnyWireFormat, route: AnyRoute, value: unknown): Reply | Promise<Reply> {
  if (value instanceof Download) return begun(value);
  if (!(value instanceof Outgoing)) return wireFormat.success(value, route);
  const reply = wireFormat.success(value.value, { ...route, status: value.status ?? route.status });
  return { ...reply, headers: { ...reply.headers, ...value.headers } };
}

/** A failure before the first byte can still become an error response. */
async function begun(download: Download): Promise<Download> {
  if (download.body instanceof Readable) await once(download.body, 'readable');
  return download;
}

class RouteCall implements Call<never, never> {
  readonly incoming: RequestContext;
  readonly #parts: RouteParts;
  #signal: AbortSignal | undefined;

  constructor(parts: RouteParts, incoming: RequestContext) {
    this.#parts = parts;
    this.incoming = incoming;
  }

  get kernel(): Kernel {
    return this.#parts.kernel;
  }

  get by(): never {
    return this.incoming.by as never;
  }

  get params(): never {
    return this.incoming.params as never;
  }

  /** Created on demand: only routes that wait use it. */
  get signal(): AbortSignal {
    return (this.#signal ??= this.#parts.hangUpOf(this.incoming.response));
  }

  get answerPath(): AnswerPath {
    return answerPathOf(this.incoming.response, this.incoming.ip);
  }
}
