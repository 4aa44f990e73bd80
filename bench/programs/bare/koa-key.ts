/** Limit: a trivial authenticated POST with Koa and koa-bodyparser: a key in the query, a little JSON. */
import { createHmac } from 'node:crypto';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { program, type Shape } from '../../harness/program';
import { listen } from './listen';

export interface KeyedServer extends Shape {
  readonly options: { readonly keys: readonly string[] };
  readonly ready: { readonly port: number };
}

/** Keys are stored as hashes, so a key is looked up by its hash. */
const hashOf = (key: string): string => createHmac('sha256', 'bench').update(key).digest('hex');

program<KeyedServer>(async ({ keys }) => {
  const known = new Set(keys.map(hashOf));
  const app = new Koa();
  app.use(bodyParser() as unknown as Koa.Middleware);
  app.use((ctx) => {
    if (!known.has(hashOf(String(ctx.query['api_key'])))) ctx.throw(401);
    ctx.body = { result: 'success', msg: '' };
  });
  const handle = app.callback();
  const { port } = await listen((request, response) => void handle(request, response));
  return { ready: { port } };
});
