/** Limit: bare Koa and koa-bodyparser reading a form and answering with a little JSON. */
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { program } from '../../harness/program';
import type { BareServer } from './koa-hello';
import { listen } from './listen';

program<BareServer>(async () => {
  const app = new Koa();
  app.use(bodyParser() as unknown as Koa.Middleware);
  app.use((ctx) => {
    const { username } = ctx.request.body as { username: string };
    ctx.body = { result: 'success', msg: '', api_key: 'x'.repeat(32), email: username };
  });
  const handle = app.callback();
  const { port } = await listen((request, response) => void handle(request, response));
  return { ready: { port } };
});
