/** Limit: bare Koa and koa-bodyparser reading a little JSON and acknowledging it. */
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { program } from '../../harness/program';
import type { BareServer } from './koa-hello';
import { listen } from './listen';

program<BareServer>(async () => {
  const app = new Koa();
  app.use(bodyParser() as unknown as Koa.Middleware);
  app.use((ctx) => {
    ctx.status = (ctx.request.body as { id?: string }).id === undefined ? 400 : 204;
  });
  const handle = app.callback();
  const { port } = await listen((request, response) => void handle(request, response));
  return { ready: { port } };
});
