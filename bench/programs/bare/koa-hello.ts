/** Limit: bare Koa answering a GET with 1.2 KB of prepared JSON. */
import Koa from 'koa';
import { program, type Shape } from '../../harness/program';
import { listen } from './listen';
import { EVENT } from '../payload';

export interface BareServer extends Shape {
  readonly options: null;
  readonly ready: { readonly port: number };
}

program<BareServer>(async () => {
  const app = new Koa();
  app.use((ctx) => {
    ctx.type = 'application/json';
    ctx.body = EVENT;
  });
  const handle = app.callback();
  const { port } = await listen((request, response) => void handle(request, response));
  return { ready: { port } };
});
