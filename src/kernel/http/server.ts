/** One node's HTTP side: the Koa app around the mounted products, its timeouts, and its part in the drain. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import Koa, { type Context, type Middleware } from 'koa';
import helmet from 'koa-helmet';
import { sleep } from '../deadline';
import type { Kernel } from '../kernel';
import type { FastPathParts, Mount } from '../product';
import type { HttpSettings } from '../settings';
import type { BodyReaders, Door } from './answer';
import { bodyReader, rawBodyReader, type BodyLimits } from './body';
import { observe, openAccessLog } from './access-log';
import { answerBrokenRequests } from './broken-requests';
import { openSpoolRoom } from '../upload-spool';
import { originReader } from './incoming';
import { isClosing, LingeringResponse, responseUnderWay } from './lingering-response';
import { serveMounts } from './mounts';
import { openRateLimit } from './rate-limit';
import type { AnswerByKoa } from './reply';
import { HELMET_OPTIONS } from './safe-headers';
import { UnsentAnswers } from './unsent';
import { unroutedPathShower } from '../shown-path';
import { wholeBodyReader } from './whole-body';
import { wholeReplies } from './whole-reply';

export interface HttpServer {
  readonly server: Server;
  readonly port: number;
}

export interface HttpParts {
  readonly mounts: readonly Mount[];
  /** Pages and probes. */
  readonly pages: readonly Middleware[];
}

/** After an outage everybody connects at once; whoever finds no place in the queue is only heard a second later. */
const BACKLOG = 4096;

export async function openHttp(kernel: Kernel, settings: HttpSettings, parts: HttpParts): Promise<HttpServer> {
  const app = new Koa();
  const unsent = new UnsentAnswers(settings);
  const accessLog = openAccessLog(kernel);
  const door: Door = {
    kernel,
    accessLog,
    limit: settings.rateLimit && openRateLimit(kernel, 'api', settings.rateLimit),
    pens: {
      whole: wholeReplies(settings.keepAliveMs),
      answerByKoa: openKoaAnswers(app, (request, response) => handle(request, response)),
      unsent,
    },
    spoolRoom: openSpoolRoom(settings),
    contextOf: (request, response) => app.createContext(request, response),
    originOf: originReader(settings.trustedProxies),
    bodies: readersOf(settings),
    strangersBodies: readersOf(strangersLimits(settings)),
    readRawBody: rawBodyReader(settings),
  };
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (LEFT.has(error.code ?? '')) kernel.log.debug({ error }, 'a client hung up');
    else kernel.log.error({ error }, 'an answer could not be written');
  });
  const { routed, unrouted } = serveMounts(door, parts.mounts);
  const patterns = parts.mounts.flatMap(({ prefix, routes }) => routes.map(({ path }) => `${prefix}${path}`));
  app.use(observe(kernel, accessLog, unroutedPathShower(patterns)));
  app.use(helmet(HELMET_OPTIONS));
  for (const middleware of parts.pages) app.use(middleware);
  app.use(unrouted);

  const handle = app.callback();
  const passOn: FastPathParts['passOn'] = (request, response) => {
    if (!routed(request, response)) void handle(request, response);
  };
  const fastPaths = parts.mounts.flatMap(({ openFastPath }) => openFastPath?.({ accessLog, unsent, passOn }) ?? []);
  const isLate = (request: IncomingMessage) => ending.isLate(request);
  const server = createServer(
    {
      headersTimeout: settings.headersTimeoutMs,
      requestTimeout: settings.requestTimeoutMs,
      keepAliveTimeout: settings.keepAliveMs,
      connectionsCheckingInterval: 1000,
      ServerResponse: LingeringResponse,
    },
    (request, response) => {
      if (isClosing(request.socket)) return;
      // Pages answer the probes of a late request and refuse the rest.
      if (isLate(request)) void handle(request, response);
      else if (!fastPaths.some((answer) => answer(request, response))) passOn(request, response);
    },
  );
  const ending = endWith(kernel, server);
  unsent.watch(server, kernel.log);
  server.maxConnections = settings.maxConnections;
  answerBrokenRequests(server, accessLog);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, BACKLOG, resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

/** Nobody limits how often a stranger asks: what they send must cost little to read. A login takes less than this. */
const STRANGERS_BYTES = 16 * 1024;

const strangersLimits = (settings: BodyLimits): BodyLimits => ({
  formLimitBytes: Math.min(settings.formLimitBytes, STRANGERS_BYTES),
  jsonLimitBytes: Math.min(settings.jsonLimitBytes, STRANGERS_BYTES),
  jsonDepthLimit: settings.jsonDepthLimit,
});

function readersOf(limits: BodyLimits): BodyReaders {
  const mending = bodyReader(limits);
  return { mending, whole: wholeBodyReader(limits, mending) };
}

/** Streams and bytes leave by Koa, once their route has them ready. It must be the first to use the app. */
function openKoaAnswers(
  app: Koa,
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
): AnswerByKoa {
  const ready = new WeakMap<IncomingMessage, (ctx: Context) => void>();
  app.use((ctx, next) => {
    const write = ready.get(ctx.req);
    return write ? write(ctx) : next();
  });
  return ({ request, response }, write) => {
    ready.set(request, write);
    void handle(request, response);
  };
}

/** What a stream fails with when its client is gone. */
const LEFT: ReadonlySet<string> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

const IDLE_CHECK_MS = 50;

/**
 * First wait for the requests that are under way, then close the listener. A load balancer that cannot connect any more
 * takes the node for dead and cuts what is under way on it: so until the end its probes are told that the node drains.
 */
function endWith(kernel: Kernel, server: Server): { isLate(request: IncomingMessage): boolean } {
  const early = new Set<Socket>();
  const late = new Set<Socket>();
  let isEnding = false;
  server.on('connection', (socket: Socket) => {
    const own = isEnding ? late : early;
    own.add(socket);
    socket.once('close', () => own.delete(socket));
  });
  kernel.lifecycle.on('requests', 'http', () => {
    isEnding = true;
  });
  kernel.lifecycle.on('listeners', 'http', async () => {
    // Connections whose last answer left before the drain began do not know that it has.
    for (endIdle(early); early.size > 0; endIdle(early)) await sleep(IDLE_CHECK_MS);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const nudge = setInterval(() => endIdle(late), IDLE_CHECK_MS);
    await closed;
    clearInterval(nudge);
  });
  return { isLate: ({ socket }) => late.has(socket) };
}

/** Node takes a connection that was opened and never used for a busy one; to a drain it is as idle as any. */
function endIdle(sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) if (!responseUnderWay(socket)) socket.destroy();
}
