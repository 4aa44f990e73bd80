/** A node's HTTP server: its Koa application, fast paths, timeouts and drain. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { sleep } from '../deadline';
import type { Kernel } from '../kernel';
import type { Lifecycle } from '../lifecycle';
import type { HttpSettings } from '../settings';
import { openAccessLog } from './access-log';
import { openApp, type AppParts } from './app';
import { answerBrokenRequests, refuseTwoHosts } from './connection/broken-requests';
import { isClosing, LingeringResponse, responseUnderWay } from './connection/lingering-response';
import { originReader } from './incoming';
import { UnsentAnswers } from './connection/unsent';

export interface HttpServer {
  readonly server: Server;
  readonly port: number;
  /** Call this once all listeners for requests are added. */
  readonly checkHosts: () => void;
}

export type HttpParts = Pick<AppParts, 'mounts' | 'pages' | 'web'> & Partial<Pick<AppParts, 'middlewares'>>;

/** After an outage all clients connect at once. A client that finds the backlog full is accepted a second later. */
const BACKLOG = 4096;

export async function openHttp(kernel: Kernel, settings: HttpSettings, parts: HttpParts): Promise<HttpServer> {
  const accessLog = openAccessLog(kernel);
  const unsent = new UnsentAnswers(settings);
  const drain = openDrain(kernel.lifecycle);
  const { isLate } = drain;
  const originOf = originReader(settings.trustedProxies);
  const shared = { accessLog, unsent, originOf };
  const handle = openApp({ ...shared, kernel, settings, isLate, middlewares: [], ...parts }).callback();
  const fastPaths = parts.mounts.flatMap(({ openFastPaths }) => openFastPaths?.(shared) ?? []);
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
      const pass = () => void handle(request, response);
      if (!isLate(request)) for (const take of fastPaths) if (take(request, response, pass)) return;
      pass();
    },
  );
  drain.watch(server);
  unsent.watch(server, kernel.log);
  server.maxConnections = settings.maxConnections;
  answerBrokenRequests(server, accessLog);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, BACKLOG, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { server, port, checkHosts: () => refuseTwoHosts(server, accessLog) };
}

const IDLE_CHECK_MS = 50;

/**
 * Waits for current requests, then closes the listener. A load balancer that can no longer connect assumes that the
 * node is dead and cuts its current requests. So until the end, probes are answered that the node drains.
 */
function openDrain(lifecycle: Lifecycle) {
  const early = new Set<Socket>();
  const late = new Set<Socket>();
  let isEnding = false;
  lifecycle.on('requests', 'http', () => {
    isEnding = true;
  });
  return {
    /** Whether a request came on a connection that was opened after the drain began. */
    isLate: ({ socket }: IncomingMessage): boolean => isEnding && late.has(socket),
    watch(server: Server): void {
      server.on('connection', (socket: Socket) => {
        const own = isEnding ? late : early;
        own.add(socket);
        socket.once('close', () => own.delete(socket));
      });
      lifecycle.on('listeners', 'http', async () => {
        // Connections whose last response left before the drain began were not told of it.
        for (endIdle(early); early.size > 0; endIdle(early)) await sleep(IDLE_CHECK_MS);
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        const checking = setInterval(() => endIdle(late), IDLE_CHECK_MS);
        await closed;
        clearInterval(checking);
      });
    },
  };
}

/** server.closeIdleConnections() spares connections that were opened but never used. For a drain they are idle too. */
function endIdle(sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) if (!responseUnderWay(socket)) socket.destroy();
}
