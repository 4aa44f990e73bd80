/** The steps of a request through a route: authenticate, count, read and decode, run, render. Each is a middleware. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Middleware } from 'koa';
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
import { RequestContext, requestContextOf } from './request-context';
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

export function stepsOf(parts: RouteParts, mount: Mount, route: AnyRoute): Middleware[] {
  const { wireFormat, prefix } = mount;
  const labels = { product: prefix || '/', route: route.path, method: route.method.toUpperCase() };
  return [
    enterRoute(parts, mount, route),
    ...(parts.roundTrips ? [parts.roundTrips(labels)] : []),
    ...(route.authenticated ? [authenticate(parts, wireFormat, route)] : []),
    ...(route.limited && parts.tenantLimit ? [countTenant(parts.tenantLimit)] : []),
    ...(route.limited && parts.limit ? [countRequest(parts.limit, wireFormat)] : []),
    ...(takesTurns(route) ? [shareNode(parts)] : []),
    ...(route.fileLimitBytes > 0 ? [spoolFiles(parts, route)] : []),
    readParams(parts, wireFormat, route),
    ...(route.isExpensive ? [takeTurn(parts)] : []),
    ...(takesChangeTurns(route) ? [takeChangeTurn(parts)] : []),
    runRoute(parts, wireFormat, route),
  ];
}

function enterRoute({ originOf }: RouteParts, { prefix }: Mount, route: AnyRoute): Middleware {
  const showPath = routePathShower(`${prefix}${route.path}`);
  return (ctx, next) => {
    const state = stateOf(ctx);
    state.route = route.path;
    state.isFrequent = route.isFrequent;
    state.showPath = showPath;
    ctx.state['request'] = new RequestContext(ctx, originOf);
    return next();
  };
}

/** Uses only headers and query: missing credentials win over any mistake in the body. */
function authenticate({ kernel }: RouteParts, wireFormat: AnyWireFormat, route: AnyRoute): Middleware {
  return async (ctx, next) => {
    const request = requestContextOf(ctx);
    request.by = await wireFormat.authenticate(kernel, request, route);
    request.caller = wireFormat.limitKey(request.by);
    request.tenant = wireFormat.tenantOf?.(request.by);
    return next();
  };
}

function countRequest(limit: RateLimit, wireFormat: AnyWireFormat): Middleware {
  return async (ctx, next) => {
    ctx.set({ ...(await limit.count(wireFormat.limitKey(requestContextOf(ctx).by))) });
    return next();
  };
}

/** Counted in memory, not in Redis: it keeps one tenant from occupying the node, and need not be exact. */
function countTenant(limit: LocalRateLimit): Middleware {
  return async (ctx, next) => {
    const { tenant } = requestContextOf(ctx);
    if (tenant !== undefined && !limit.take(tenant)) await limit.count(tenant);
    return next();
  };
}

const shareNode =
  ({ gates }: RouteParts): Middleware =>
  (ctx, next) => {
    const { tenant, response } = requestContextOf(ctx);
    if (tenant === undefined) return next();
    return gates.tenants.through({ caller: tenant, address: tenant, isGone: () => response.destroyed }, next);
  };

/** Files stay on disk until the route is done with them. */
function spoolFiles({ spoolRoom }: RouteParts, { fileLimitBytes }: AnyRoute): Middleware {
  return async (ctx, next) => {
    const request = requestContextOf(ctx);
    const spool = spoolRoom.open(fileLimitBytes, () => request.caller);
    request.spool = spool;
    try {
      await next();
    } finally {
      await spool.discard();
    }
  };
}

function readParams({ gates, bodyReaderFor }: RouteParts, wireFormat: AnyWireFormat, route: AnyRoute): Middleware {
  const { fileLimitBytes: limitBytes } = route;
  const schema = wireFormat.refusesUnknownParams === true ? z.strictObject(route.params) : z.object(route.params);
  const read = bodyReaderFor(route, wireFormat.refusesBrokenText === true);
  return async (ctx, next) => {
    const request = requestContextOf(ctx);
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
    return next();
  };
}

/** Expensive responses are prepared a few at a time, and not for callers that leave responses unread. */
function takeTurn({ unsent, gates }: RouteParts): Middleware {
  return (ctx, next) => {
    const { caller, party } = requestContextOf(ctx);
    unsent.check(caller);
    return gates.expensive.through(party, next);
  };
}

/** After the body has been read: a client that sends slowly holds no place. */
const takeChangeTurn =
  ({ kernel }: RouteParts): Middleware =>
  (ctx, next) =>
    kernel.changes.through(requestContextOf(ctx).party, next);

function runRoute(parts: RouteParts, wireFormat: AnyWireFormat, route: AnyRoute): Middleware {
  const { unsent } = parts;
  return async (ctx) => {
    const request = requestContextOf(ctx);
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
