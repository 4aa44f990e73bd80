/** One request's way through a mounted route: authenticate, count, read, decode, run, answer. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { z } from 'zod';
import { Fault } from '../fault';
import type { Party } from '../gate';
import { answerPathOf, type AnswerPath } from '../answer-path';
import type { Kernel } from '../kernel';
import type { Mount } from '../product';
import type { Body, BodyReader } from './body';
import type { Reply } from './dialect';
import { replyToFault } from './faults';
import { expensiveCalls, uploads } from './expensive';
import type { SpoolRoom } from '../upload-spool';
import { hangUpOf } from './hang-up';
import type { Origin } from './incoming';
import type { FileWish } from './multipart';
import { CLIENT_LEFT, type AccessLog } from './access-log';
import { Download, Outgoing } from './outgoing';
import { readIssues } from './params';
import type { RateLimit } from './rate-limit';
import { openReplies, type Headers, type Pens, type ReplyWriter } from './reply';
import type { Call } from './route';
import { routePathShower } from '../shown-path';
import { Visit, type Arrival } from './visit';

export interface Door {
  readonly kernel: Kernel;
  readonly accessLog: AccessLog;
  /** None where nobody is limited. */
  readonly limit: RateLimit | null;
  readonly pens: Pens;
  readonly spoolRoom: SpoolRoom;
  contextOf(request: IncomingMessage, response: ServerResponse): Context;
  originOf(visit: Visit): Origin;
  readonly bodies: BodyReaders;
  /** For routes that anybody may call. */
  readonly strangersBodies: BodyReaders;
  readRawBody(visit: Visit): Promise<Body>;
}

export interface BodyReaders {
  readonly mending: BodyReader;
  /** For dialects that refuse broken text. */
  readonly whole: BodyReader;
}

type AnyRoute = Mount['routes'][number];
type AnyDialect = Mount['dialect'];

/** What the requests of a route have in common. */
export interface Serving {
  readonly door: Door;
  readonly dialect: AnyDialect;
  readonly route: AnyRoute;
  readonly schema: z.ZodObject;
  showPath(path: string): string;
  readonly product: string;
  readonly replies: ReplyWriter;
  readonly run: (serving: Serving, served: Served) => Promise<Reply>;
}

interface Served {
  readonly visit: Visit;
  /** How many requests are left, which a refusal tells too. */
  counted: Headers | undefined;
}

/** Its schema is compiled once, not per request. */
export function servingOf(door: Door, { prefix, dialect }: Mount, route: AnyRoute): Serving {
  const schema = dialect.refusesUnknownParams === true ? z.strictObject(route.params) : z.object(route.params);
  const replies = openReplies(door.kernel, dialect, door.pens);
  const run = route.fileLimitBytes > 0 ? runWithFiles : runRoute;
  const showPath = routePathShower(`${prefix}${route.path}`);
  return { door, dialect, route, schema, showPath, product: prefix || '/', replies, run };
}

/** Never fails: what cannot be answered ends its connection. */
export async function answer(serving: Serving, arrival: Arrival): Promise<void> {
  const { door, dialect } = serving;
  const visit = new Visit(serving, arrival);
  const served: Served = { visit, counted: undefined };
  let reply: Reply | undefined;
  let trouble: unknown;
  try {
    reply = await serving.run(serving, served);
  } catch (error) {
    trouble = error;
  }
  const { response } = visit;
  // A client that hung up amid its body is no trouble of ours; what failed after that is.
  const isAborted = isOver(visit) && !visit.request.complete;
  if (!reply && !isAborted) reply = replyToFault(door.kernel.log, dialect, trouble, visit);
  if (reply && !isOver(visit)) return send(serving, served, reply);
  door.accessLog.note(visit, response.headersSent ? response.statusCode : CLIENT_LEFT);
}

/** The client is gone, or was told by the server itself that its body is broken or late. */
const isOver = ({ request, response }: Visit): boolean => request.socket.destroyed || response.headersSent;

/** What is noted is what the client gets: an answer that cannot be written becomes another one. */
function send({ door, dialect, replies }: Serving, { visit, counted }: Served, reply: Reply): void {
  const { kernel, accessLog } = door;
  try {
    replies.write(visit, reply, counted);
    if (reply instanceof Download) return noteDownload(door, visit, reply);
    return accessLog.note(visit, reply.status);
  } catch (error) {
    // Too much waits unread already, or the answer itself cannot be written.
    const fault = error instanceof Fault ? error : new Fault('internal', 'Internal server error', { cause: error });
    const instead = replyToFault(kernel.log, dialect, fault, visit);
    if (visit.response.headersSent) visit.response.destroy();
    else replies.write(visit, instead, counted);
    accessLog.note(visit, instead.status);
  }
}

/** It is known how a download ended when it has. */
function noteDownload({ kernel, accessLog }: Door, visit: Visit, { body }: Download): void {
  const { response, requestId, shownPath: path } = visit;
  response.once('close', () => {
    const error = body instanceof Readable ? body.errored : null;
    const isOurs = error !== null && (error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE';
    if (isOurs) kernel.log.error({ requestId, path, error }, 'a download broke off');
    accessLog.note(visit, response.writableFinished ? response.statusCode : isOurs ? 500 : CLIENT_LEFT);
  });
}

async function runRoute(serving: Serving, served: Served, wish?: FileWish): Promise<Reply> {
  const { door, dialect, route, schema } = serving;
  const { visit } = served;
  const { kernel } = door;
  const by: unknown = route.authenticated ? await dialect.authenticate(kernel, visit, route) : null;
  if (route.authenticated) visit.nameCaller(dialect.limitKey(by));
  if (route.limited && door.limit) served.counted = await door.limit.count(dialect.limitKey(by));
  const reading = readBodyOf(serving, visit, wish);
  visit.take(reading instanceof Promise ? await reading : reading);
  const params = decode(schema, dialect, dialect.rawParams(visit));
  const run = () => route.run(new RouteCall(kernel, visit, by as never, params as never));
  return replyOf(serving, await (route.isExpensive ? runInTurn(door, visit, run) : run()));
}

function replyOf({ dialect, route }: Serving, value: unknown): Reply | Promise<Reply> {
  if (value instanceof Download) return begun(value);
  if (!(value instanceof Outgoing)) return dialect.success(value, route);
  const reply = dialect.success(value.value, { ...route, status: value.status ?? route.status });
  return { ...reply, headers: { ...reply.headers, ...value.headers } };
}

function readBodyOf({ door, dialect, route }: Serving, visit: Visit, wish?: FileWish): Body | Promise<Body> {
  if (route.rawBody) return door.readRawBody(visit);
  const readers = route.authenticated ? door.bodies : door.strangersBodies;
  const read = dialect.refusesBrokenText === true ? readers.whole : readers.mending;
  if (!wish) return read(visit);
  return uploads(door.kernel).through(partyOf(visit), async () => read(visit, wish));
}

/** Expensive answers are prepared a few at a time, and not for callers who leave what they were sent unread. */
function runInTurn({ kernel, pens }: Door, visit: Visit, run: () => Promise<unknown>): Promise<unknown> {
  pens.unsent.check(visit.caller);
  return expensiveCalls(kernel).through(partyOf(visit), run);
}

const partyOf = ({ caller, ip: address, response }: Visit): Party => ({
  caller,
  address,
  isGone: () => response.destroyed,
});

/** What fails before the first byte is still an answer of its own. */
async function begun(download: Download): Promise<Download> {
  if (download.body instanceof Readable) await once(download.body, 'readable');
  return download;
}

/** Files lie on disk until the route is done with them. */
async function runWithFiles(serving: Serving, served: Served): Promise<Reply> {
  const { fileLimitBytes: limitBytes } = serving.route;
  const spool = serving.door.spoolRoom.open(limitBytes, () => served.visit.caller);
  try {
    return await runRoute(serving, served, { limitBytes, spool });
  } finally {
    await spool.discard();
  }
}

function decode(schema: z.ZodObject, dialect: AnyDialect, raw: Record<string, unknown>): unknown {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  throw dialect.invalidParams(readIssues(result.error), raw);
}

class RouteCall implements Call<never, never> {
  readonly kernel: Kernel;
  readonly incoming: Visit;
  readonly by: never;
  readonly params: never;
  #signal: AbortSignal | undefined;

  // oxlint-disable-next-line max-params -- all that a call is
  constructor(kernel: Kernel, incoming: Visit, by: never, params: never) {
    this.kernel = kernel;
    this.incoming = incoming;
    this.by = by;
    this.params = params;
  }

  /** Made only for those who wait: most requests never look at it. */
  get signal(): AbortSignal {
    return (this.#signal ??= hangUpOf(this.kernel, this.incoming.response));
  }

  get answerPath(): AnswerPath {
    return answerPathOf(this.incoming.response, this.incoming.ip);
  }
}
