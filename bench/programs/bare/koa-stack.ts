/** Limit: the libraries that a node uses for a POST, without anything of ours. */
import Router, { type RouterMiddleware } from '@koa/router';
import Koa, { type Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import { destination, pino } from 'pino';
import { Histogram, Registry } from 'prom-client';
import { SECURITY_HEADERS } from '../../../src/kernel/http/security-headers';
import { program } from '../../harness/program';
import type { BareServer } from './koa-hello';
import { listen } from './listen';

const log = pino({}, destination({ dest: '/dev/null', sync: false }));
const requests = new Histogram({
  name: 'request_seconds',
  help: 'Requests by route, method and status',
  labelNames: ['route', 'method', 'status'],
  registers: [new Registry()],
});

const observe: Middleware = async (ctx, next) => {
  const began = performance.now();
  await next();
  const { method, path, status } = ctx;
  const ms = performance.now() - began;
  requests.observe({ route: path, method, status }, ms / 1000);
  log.info({ method, path, status, ms }, 'request');
};

const secure: Middleware = (ctx, next) => {
  ctx.set(SECURITY_HEADERS);
  return next();
};

const answer: Middleware = (ctx) => {
  ctx.body = { result: 'success', msg: '', id: 1 };
};

program<BareServer>(async () => {
  const router = new Router({ prefix: '/api/v1' });
  router.post('/bench/trivial', answer as unknown as RouterMiddleware);
  const app = new Koa();
  app.use(observe).use(secure);
  app.use(bodyParser() as unknown as Middleware);
  app.use(router.routes() as unknown as Middleware);
  const handle = app.callback();
  const { port } = await listen((request, response) => void handle(request, response));
  return { ready: { port } };
});
